import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { cancelChangesSince } from '../calls/api.ts';
import { Refusal } from '../calls/refusal.ts';
import { COMMON } from '../words/common.ts';
import { IconButton } from './button.tsx';
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

/** A dialog over the page. Escape closes it always, a press beside it only while it sends nothing. */
export function Dialog({
  title,
  onClose,
  children,
  isBusy = false,
  size = 'medium',
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
  isBusy?: boolean;
  size?: 'medium' | 'large' | 'side';
}) {
  const close = useStop(onClose);
  return (
    <ModalOverlay
      className={`veil ${size}`}
      isOpen
      isDismissable={!isBusy}
      onOpenChange={(isOpen) => {
        if (!isOpen) close();
      }}
    >
      <Modal className={`modal ${size}`}>
        <AriaDialog>
          <header>
            <Heading slot="title">{title}</Heading>
            <IconButton label={COMMON.close} onPress={close}>
              <X size={16} />
            </IconButton>
          </header>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
