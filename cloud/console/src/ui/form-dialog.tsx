import { type ReactNode, useId, useState } from 'react';
import { COMMON } from '../words/common.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Mistakes } from './mistakes.tsx';
import { RefusedNotice } from './states.tsx';
import { useUnsaved } from './unsaved.tsx';

/** A form in a dialog. What was typed stays there when it is refused. */
export function FormDialog({
  title,
  submit,
  children,
  error,
  isBusy,
  isReady = true,
  isFinal = false,
  onSubmit,
  onClose,
}: {
  title: string;
  /** The label of the button, with its object: `Refund ISK 1,450`. */
  submit: string;
  children: ReactNode;
  error: unknown;
  isBusy: boolean;
  isReady?: boolean;
  /** It cannot be taken back. */
  isFinal?: boolean;
  onSubmit: () => void;
  onClose: () => void;
}) {
  const formId = useId();
  const [isDirty, setDirty] = useState(false);
  const leaving = useUnsaved({ isDirty, isBusy });
  return (
    <Dialog title={title} onClose={onClose} isBusy={isBusy} isDirty={isDirty}>
      {leaving}
      <form
        id={formId}
        className="form"
        onInput={() => setDirty(true)}
        onSubmit={(event) => {
          event.preventDefault();
          // A dialog that a form opens is a part of it for React, and would send it.
          event.stopPropagation();
          if (!isBusy && isReady) onSubmit();
        }}
      >
        <Mistakes error={error}>{children}</Mistakes>
        <RefusedNotice error={error} />
      </form>
      <footer>
        <Button slot="close">{COMMON.cancel}</Button>
        <Button
          type="submit"
          form={formId}
          look={isFinal ? 'negative' : 'primary'}
          isDisabled={!isReady}
          isPending={isBusy}
        >
          {submit}
        </Button>
      </footer>
    </Dialog>
  );
}
