import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { cancelChangesSince } from '../calls/api.ts';
import { Refusal } from '../calls/refusal.ts';
import { COMMON } from '../words/common.ts';
import { wordsOf } from '../words/words.ts';
import { IconButton } from './button.tsx';
import { DialogFocus } from './dialog-focus.tsx';
import { useToasts } from './toasts.tsx';

/**
 * Closes what sends something: that is stopped, and the person learns that it may have been done. What is under a
 * dialog sends nothing, so that what began since it was opened is its own.
 */
export function useStop(onClose: () => void): () => void {
  const toasts = useToasts();
  const [openedAt] = useState(() => performance.now());
  return () => {
    if (cancelChangesSince(openedAt)) toasts.failed(Refusal.unanswered('cancelled'));
    onClose();
  };
}

const WORDS = wordsOf('dialog');

/**
 * Within the dialog, so that its Escape is not that of another one. After a press beside the dialog nothing has the focus
 * until the next frame: an Escape of that moment is the uppermost dialog's.
 */
function AskOnEscape({ onEscape }: { onEscape: () => void }) {
  const place = useRef<HTMLSpanElement>(null);
  const latest = useRef(onEscape);
  latest.current = onEscape;
  useEffect(() => {
    const dialog = place.current?.closest('[role=dialog]');
    if (!dialog) return;
    const isOurs = ({ target }: Event) =>
      target === document.body
        ? dialog === [...document.querySelectorAll('[role=dialog]')].at(-1)
        : target instanceof Node && dialog.contains(target);
    const listen = (event: KeyboardEvent) => {
      // The timer waits for the end of this press, which would otherwise close it.
      if (event.key === 'Escape' && isOurs(event)) setTimeout(() => latest.current());
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  return <span ref={place} hidden />;
}

/**
 * A dialog over the page. Escape closes it, a press beside it only while it sends nothing; where something was typed, Escape
 * must be pressed twice.
 */
export function Dialog({
  title,
  onClose,
  children,
  isBusy = false,
  isDirty = false,
  size = 'medium',
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
  isBusy?: boolean;
  /** Something was typed in it that would be lost. */
  isDirty?: boolean;
  size?: 'medium' | 'large' | 'side';
}) {
  const close = useStop(onClose);
  const [isAsking, setAsking] = useState(false);
  return (
    <ModalOverlay
      className={`veil ${size}`}
      isOpen
      isDismissable={!isBusy && !isDirty}
      isKeyboardDismissDisabled={isDirty && !isAsking}
      onOpenChange={(isOpen) => {
        if (!isOpen) close();
      }}
    >
      <Modal className={`modal ${size}`}>
        <AriaDialog>
          {isDirty && <AskOnEscape onEscape={() => setAsking(true)} />}
          <header>
            <Heading slot="title">{title}</Heading>
            <IconButton label={COMMON.close} onPress={close}>
              <X size={16} />
            </IconButton>
          </header>
          {children}
          {isAsking && (
            <p className="notice caution" role="alert">
              {WORDS.discard}
            </p>
          )}
          <DialogFocus />
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
