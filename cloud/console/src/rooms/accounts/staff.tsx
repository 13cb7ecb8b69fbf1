import { useState } from 'react';
import { read } from '../../calls/api.ts';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { LANGUAGE } from '../../words/words.ts';
import {
  ACCOUNT_QUERIES,
  type Account,
  accountApi,
  inviteStaff,
  type StaffInvitation,
} from './account-api.ts';
import { ACCOUNT } from './account-words.ts';

/** A person of the own customer, who gets an account and a mail. */
export function InviteStaffDialog({ onInvited, onClose }: { onInvited: () => void; onClose: () => void }) {
  const toasts = useToasts();
  const [draft, setDraft] = useState({ name: '', email: '' });
  const invite = useSubmit((json: StaffInvitation, headers) => inviteStaff(json, headers), {
    invalidates: ACCOUNT_QUERIES,
    onDone: () => {
      onInvited();
      onClose();
      toasts.done(ACCOUNT.invited({ email: draft.email.trim() }));
    },
  });
  const [name, email] = [draft.name.trim(), draft.email.trim()];
  return (
    <FormDialog
      title={ACCOUNT.inviteStaff}
      submit={ACCOUNT.inviteSubmit({ name })}
      error={invite.error}
      isBusy={invite.isPending}
      isReady={name !== '' && email !== ''}
      onSubmit={() => invite.mutate({ name, email, language: LANGUAGE })}
      onClose={onClose}
    >
      <p className="hint">{ACCOUNT.inviteStaffWhy}</p>
      <TextField
        label={ACCOUNT.name}
        name="name"
        value={draft.name}
        onChange={(text) => setDraft({ ...draft, name: text })}
        isRequired
        autoFocus
      />
      <TextField
        label={ACCOUNT.email}
        name="email"
        type="email"
        autoComplete="off"
        value={draft.email}
        onChange={(text) => setDraft({ ...draft, email: text })}
        isRequired
      />
    </FormDialog>
  );
}

/** A new link for a person who has not chosen a password. The manager knows the address, and does not see the logins. */
export function InviteAgainDialog({
  account: { id },
  onClose,
}: {
  account: Pick<Account, 'id'>;
  onClose: () => void;
}) {
  const toasts = useToasts();
  const [typed, setTyped] = useState('');
  const email = typed.trim();
  const invite = useSubmit(
    (json: { email: string; language: typeof LANGUAGE }, headers) =>
      read(accountApi[':id'].invite.$post({ param: { id }, json }, { headers })),
    {
      invalidates: ACCOUNT_QUERIES,
      onDone: () => {
        onClose();
        toasts.done(ACCOUNT.invited({ email }));
      },
    },
  );
  return (
    <FormDialog
      title={ACCOUNT.inviteAgain}
      submit={ACCOUNT.inviteAgain}
      error={invite.error}
      isBusy={invite.isPending}
      isReady={email !== ''}
      onSubmit={() => invite.mutate({ email, language: LANGUAGE })}
      onClose={onClose}
    >
      <TextField
        label={ACCOUNT.email}
        name="email"
        type="email"
        autoComplete="off"
        value={typed}
        onChange={setTyped}
        isRequired
        autoFocus
      />
    </FormDialog>
  );
}
