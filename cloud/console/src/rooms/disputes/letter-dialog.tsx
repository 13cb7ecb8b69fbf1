import { MAX_LETTER } from '@hlid/protocol/base/limits';
import { type ReactNode, useState } from 'react';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { DISPUTE_QUERIES } from './dispute-api.ts';

/** A letter of a dispute, as it is written and sent. */
export function LetterDialog({
  title,
  submit,
  label,
  hint,
  send,
  children,
  onDone,
  onClose,
}: {
  title: string;
  submit: string;
  label: string;
  hint?: string;
  send: (text: string, headers: Parameters<Parameters<typeof useSubmit>[0]>[1]) => Promise<unknown>;
  /** Fields above the letter. */
  children?: ReactNode;
  onDone?: () => void;
  onClose: () => void;
}) {
  const [text, setText] = useState('');
  const sending = useSubmit(send, {
    invalidates: DISPUTE_QUERIES,
    onDone: () => {
      onDone?.();
      onClose();
    },
  });
  return (
    <FormDialog
      title={title}
      submit={submit}
      isReady={text.trim() !== ''}
      error={sending.error}
      isBusy={sending.isPending}
      onSubmit={() => sending.mutate(text.trim())}
      onClose={onClose}
    >
      {children}
      <TextField
        label={label}
        name="text"
        rows={5}
        maxLength={MAX_LETTER}
        value={text}
        onChange={setText}
        hint={hint}
        isRequired
        autoFocus
      />
    </FormDialog>
  );
}
