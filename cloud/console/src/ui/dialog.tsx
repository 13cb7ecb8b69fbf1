import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { COMMON } from '../words/common.ts';
import { IconButton } from './button.tsx';

/** A dialog over the page. Escape and a press beside it close it, except while it sends something. */
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
  return (
    <ModalOverlay
      className={`veil ${size}`}
      isOpen
      isDismissable={!isBusy}
      isKeyboardDismissDisabled={isBusy}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Modal className={`modal ${size}`}>
        <AriaDialog>
          <header>
            <Heading slot="title">{title}</Heading>
            <IconButton label={COMMON.close} onPress={onClose} isDisabled={isBusy}>
              <X size={16} />
            </IconButton>
          </header>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
