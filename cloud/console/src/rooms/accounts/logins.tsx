import { MIN_PASSWORD_CHARACTERS } from '@hlid/protocol/base/password-length';
import { Badge } from '@hlid/ui/badge';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { answered, read } from '../../calls/api.ts';
import { useTimeZone } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { FinalDialog } from '../../ui/final-dialog.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import { LANGUAGE } from '../../words/words.ts';
import { type Account, accountApi, type Login, type NewLogin, readLogins } from './account-api.ts';
import { ACCOUNT } from './account-words.ts';

const logins = accountApi[':id'].logins;
const LOGIN_QUERIES = [['logins'], ['sessions']] as const;

/** The ways in which an account logs in. */
export function Logins({
  account: { id: accountId, actions },
}: {
  account: Pick<Account, 'id' | 'actions'>;
}) {
  const timeZone = useTimeZone();
  const [open, setOpen] = useState<
    { kind: 'add' } | { kind: 'password' | 'remove' | 'invite'; login: Login } | null
  >(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['logins', accountId],
    queryFn: () => readLogins(accountId),
  });
  if (!data) return error ? <Failed error={error} retry={() => void refetch()} /> : <Loading />;
  const close = () => setOpen(null);
  return (
    <>
      {actions.includes('add-login') && (
        <div className="page-actions">
          <Button onPress={() => setOpen({ kind: 'add' })}>
            <Plus size={14} aria-hidden="true" /> {ACCOUNT.addLogin}
          </Button>
        </div>
      )}
      {data.length === 0 ? (
        <Empty title={ACCOUNT.noLogins}>
          <p>{ACCOUNT.noLoginsHint}</p>
        </Empty>
      ) : (
        <DataTable
          label={ACCOUNT.logins}
          rows={data}
          idOf={({ tokenId }) => tokenId}
          columns={[
            {
              id: 'email',
              title: ACCOUNT.email,
              isWide: true,
              cell: (login) => (
                <>
                  {loginName(login)} {isUnused(login) && <Badge tone="caution">{ACCOUNT.noPassword}</Badge>}
                </>
              ),
            },
            { id: 'ssn', title: ACCOUNT.ssn, cell: ({ ssn }) => ssn },
            {
              id: 'expires',
              title: ACCOUNT.expires,
              cell: ({ expire }) => (expire ? <Moment at={expire} timeZone={timeZone} /> : ACCOUNT.never),
            },
            {
              id: 'act',
              title: COMMON.actions,
              cell: (login) => (
                <span className="row-acts">
                  {isUnused(login) && actions.includes('invite') && (
                    <Button look="quiet" onPress={() => setOpen({ kind: 'invite', login })}>
                      {ACCOUNT.inviteAgain}
                    </Button>
                  )}
                  {login.email !== null && actions.includes('set-password') && (
                    <Button look="quiet" onPress={() => setOpen({ kind: 'password', login })}>
                      {ACCOUNT.setPassword}
                    </Button>
                  )}
                  {actions.includes('delete-login') && (
                    <Button look="quiet" onPress={() => setOpen({ kind: 'remove', login })}>
                      {COMMON.delete}
                    </Button>
                  )}
                </span>
              ),
            },
          ]}
        />
      )}
      {open?.kind === 'add' && <AddDialog accountId={accountId} onClose={close} />}
      {open?.kind === 'password' && <PasswordDialog login={open.login} onClose={close} />}
      {open?.kind === 'invite' && <InviteDialog login={open.login} onClose={close} />}
      {open?.kind === 'remove' && <RemoveDialog login={open.login} onClose={close} />}
    </>
  );
}

/** A person who was invited and has not followed the link. */
function isUnused({ email, ssn, hasPassword }: Login): boolean {
  return email !== null && ssn === null && !hasPassword;
}

function loginName({ email, ssn }: Login): string {
  return email ?? ssn ?? '';
}

function AddDialog({ accountId, onClose }: { accountId: string; onClose: () => void }) {
  const toasts = useToasts();
  const [draft, setDraft] = useState({ email: '', password: '', ssn: '' });
  const [isInvited, setInvited] = useState(false);
  const set = (changes: Partial<typeof draft>) => setDraft({ ...draft, ...changes });
  const add = useSubmit(
    (json: NewLogin, headers) => read(logins.$post({ param: { id: accountId }, json }, { headers })),
    {
      invalidates: LOGIN_QUERIES,
      onDone: (login) => {
        onClose();
        toasts.done(
          isInvited
            ? ACCOUNT.invited({ email: loginName(login) })
            : ACCOUNT.loginAdded({ email: loginName(login) }),
        );
      },
    },
  );
  const { email, password, ssn } = draft;
  return (
    <FormDialog
      title={ACCOUNT.addLogin}
      submit={ACCOUNT.addLogin}
      error={add.error}
      isBusy={add.isPending}
      isReady={(email.trim() !== '' && (isInvited || password !== '')) || ssn.trim() !== ''}
      onSubmit={() =>
        add.mutate({
          ...(email.trim() !== '' && {
            email: email.trim(),
            ...(isInvited ? { invite: LANGUAGE } : { password }),
          }),
          ...(ssn.trim() !== '' && { ssn: ssn.trim() }),
        })
      }
      onClose={onClose}
    >
      <TextField
        label={ACCOUNT.email}
        name="email"
        type="email"
        autoComplete="off"
        value={email}
        onChange={(text) => set({ email: text })}
        autoFocus
      />
      <CheckField label={ACCOUNT.invite} isSelected={isInvited} onChange={setInvited} />
      {!isInvited && (
        <NewPassword label={ACCOUNT.password} value={password} onChange={(text) => set({ password: text })} />
      )}
      <TextField
        label={ACCOUNT.ssn}
        name="ssn"
        hint={ACCOUNT.ssnHint}
        autoComplete="off"
        value={ssn}
        onChange={(text) => set({ ssn: text })}
      />
    </FormDialog>
  );
}

export function NewPassword({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (password: string) => void;
}) {
  return (
    <TextField
      label={label}
      name="password"
      hint={ACCOUNT.passwordHint({ count: MIN_PASSWORD_CHARACTERS })}
      type="password"
      autoComplete="new-password"
      value={value}
      onChange={onChange}
    />
  );
}

function PasswordDialog({ login, onClose }: { login: Login; onClose: () => void }) {
  const toasts = useToasts();
  const [password, setPassword] = useState('');
  const set = useSubmit(
    (json: { tokenId: string; password: string }, headers) =>
      answered(
        accountApi[':id']['change-password'].$post({ param: { id: login.accountId }, json }, { headers }),
      ),
    {
      invalidates: LOGIN_QUERIES,
      onDone: () => {
        onClose();
        toasts.done(ACCOUNT.passwordSet({ email: loginName(login) }));
      },
    },
  );
  return (
    <FormDialog
      title={ACCOUNT.setPassword}
      submit={ACCOUNT.setPassword}
      error={set.error}
      isBusy={set.isPending}
      isReady={password !== ''}
      onSubmit={() => set.mutate({ tokenId: login.tokenId, password })}
      onClose={onClose}
    >
      <NewPassword label={ACCOUNT.newPassword} value={password} onChange={setPassword} />
    </FormDialog>
  );
}

function InviteDialog({ login, onClose }: { login: Login; onClose: () => void }) {
  const { accountId, email: address } = login;
  const email = address ?? '';
  const json = { email, language: LANGUAGE };
  return (
    <FinalDialog
      title={ACCOUNT.inviteAgain}
      submit={ACCOUNT.inviteAgain}
      send={(headers) =>
        answered(accountApi[':id'].invite.$post({ param: { id: accountId }, json }, { headers }))
      }
      invalidates={LOGIN_QUERIES}
      done={ACCOUNT.invited({ email })}
      onDone={onClose}
      onClose={onClose}
    >
      <p>{ACCOUNT.inviteAgainWhy({ email })}</p>
    </FinalDialog>
  );
}

function RemoveDialog({ login, onClose }: { login: Login; onClose: () => void }) {
  const { accountId, email, ssn } = login;
  const query = email === null ? { ssn: ssn ?? '' } : { email };
  const text = ACCOUNT.removeLogin({ email: loginName(login) });
  return (
    <FinalDialog
      title={text}
      submit={text}
      send={(headers) => answered(logins.$delete({ param: { id: accountId }, query }, { headers }))}
      invalidates={LOGIN_QUERIES}
      done={ACCOUNT.loginRemoved({ email: loginName(login) })}
      onDone={onClose}
      onClose={onClose}
    >
      <p>{ACCOUNT.removeLoginWhy}</p>
    </FinalDialog>
  );
}
