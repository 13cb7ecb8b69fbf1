import type { QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FormDialog } from './form-dialog.tsx';
import { useToasts } from './toasts.tsx';
import { useSubmit } from './use-submit.ts';

/**
 * An act without input that cannot be taken back. The shown text explains what it does.
 *
 * @param invalidates the queries that it makes stale, by the beginning of their keys
 * @param done the notice that it was done
 */
export function FinalDialog({
  title,
  submit,
  send,
  invalidates,
  done,
  onDone,
  onClose,
  children,
}: {
  title: string;
  /** The label of the button, with its object. */
  submit: string;
  send: (headers: Record<string, string>) => Promise<unknown>;
  invalidates: readonly QueryKey[];
  done: string;
  onDone: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const toasts = useToasts();
  const act = useSubmit((_: null, headers) => send(headers), {
    invalidates,
    onDone: () => {
      toasts.done(done);
      onDone();
    },
  });
  return (
    <FormDialog
      title={title}
      submit={submit}
      isFinal
      error={act.error}
      isBusy={act.isPending}
      onSubmit={() => act.mutate(null)}
      onClose={onClose}
    >
      {children}
    </FormDialog>
  );
}
