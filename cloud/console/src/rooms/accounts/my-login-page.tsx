import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answered } from '../../calls/api.ts';
import { isOperator, sessionQuery, useSession } from '../../shell/session.ts';
import { useSites } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { Details } from '../../ui/details.tsx';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import { changeLanguage, LANGUAGE } from '../../words/words.ts';
import { type AccountAction, accountApi, changeAccount, readAccount, readLogins } from './account-api.ts';
import { ACCOUNT } from './account-words.ts';
import { Factors } from './factors.tsx';
import { NewPassword } from './logins.tsx';
import { Sessions } from './sessions.tsx';
import './accounts.css';

/** The settings of people's own login, whatever their role. */
export function MyLoginPage() {
  const session = useSession();
  const sites = useSites();
  const [open, setOpen] = useState<'name' | 'password' | null>(null);
  const { account, permissions, siteIds, email } = session;
  const { data } = useQuery({ queryKey: ['account', account.id], queryFn: () => readAccount(account.id) });
  const can = (action: AccountAction) => data?.actions.includes(action) ?? false;
  const siteNames = siteIds?.map((id) => sites.find((site) => site.id === id)?.name ?? id).join(', ');
  return (
    <Page
      title={ACCOUNT.mine}
      isWide={false}
      actions={
        <>
          {can('rename') && <Button onPress={() => setOpen('name')}>{ACCOUNT.myName}</Button>}
          {email !== null && can('set-password') && (
            <Button onPress={() => setOpen('password')}>{ACCOUNT.changePassword}</Button>
          )}
        </>
      }
    >
      <section className="card my-login">
        <Details
          rows={[
            [ACCOUNT.name, account.name],
            [ACCOUNT.email, email],
            [ACCOUNT.role, ACCOUNT.roles[account.role]],
            ...(isOperator(session)
              ? ([
                  [ACCOUNT.permissions, permissions.map((one) => ACCOUNT.permission[one]).join(', ')],
                  [ACCOUNT.sites, siteNames ?? ACCOUNT.everySite],
                ] as const)
              : []),
          ]}
        />
        <ChoiceField
          label={ACCOUNT.language}
          value={LANGUAGE}
          choices={[
            ['is', 'Íslenska'],
            ['en', 'English'],
          ]}
          onChange={changeLanguage}
        />
      </section>
      <h2>{ACCOUNT.factors}</h2>
      <Factors accountId={account.id} name={account.name} isOwn />
      <h2>{ACCOUNT.sessions}</h2>
      <Sessions accountId={account.id} canEnd={can('end-session')} />
      {open === 'name' && <NameDialog onClose={() => setOpen(null)} />}
      {open === 'password' && <OwnPasswordDialog onClose={() => setOpen(null)} />}
    </Page>
  );
}

function NameDialog({ onClose }: { onClose: () => void }) {
  const { account } = useSession();
  const toasts = useToasts();
  const queries = useQueryClient();
  const [name, setName] = useState(account.name);
  const rename = useSubmit((named: string, headers) => changeAccount(account.id, { name: named }, headers), {
    invalidates: [['account'], ['accounts'], sessionQuery.queryKey],
    onDone: () => {
      onClose();
      toasts.done(COMMON.saved, async () => {
        await changeAccount(account.id, { name: account.name });
        await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
      });
    },
  });
  return (
    <FormDialog
      title={ACCOUNT.myName}
      submit={COMMON.save}
      error={rename.error}
      isBusy={rename.isPending}
      isReady={name.trim() !== '' && name.trim() !== account.name}
      onSubmit={() => rename.mutate(name.trim())}
      onClose={onClose}
    >
      <TextField label={ACCOUNT.name} value={name} onChange={setName} autoFocus />
    </FormDialog>
  );
}

/** The own password, with the one before. All sessions end by it, this one too. */
function OwnPasswordDialog({ onClose }: { onClose: () => void }) {
  const { account, email } = useSession();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const change = useSubmit(
    async (typed: { currentPassword: string; password: string }, headers) => {
      const own = (await readLogins(account.id)).find((login) => login.email === email);
      const json = { ...typed, tokenId: own?.tokenId ?? '' };
      const param = { id: account.id };
      await answered(accountApi[':id']['change-password'].$post({ param, json }, { headers }));
    },
    { invalidates: [], onDone: () => location.assign('/console/') },
  );
  return (
    <FormDialog
      title={ACCOUNT.changePassword}
      submit={ACCOUNT.change}
      error={change.error}
      isBusy={change.isPending}
      isReady={current !== '' && password !== ''}
      onSubmit={() => change.mutate({ currentPassword: current, password })}
      onClose={onClose}
    >
      <p>{ACCOUNT.passwordEnds}</p>
      <TextField
        label={ACCOUNT.currentPassword}
        name="currentPassword"
        type="password"
        autoComplete="current-password"
        value={current}
        onChange={setCurrent}
        autoFocus
      />
      <NewPassword label={ACCOUNT.newPassword} value={password} onChange={setPassword} />
    </FormDialog>
  );
}
