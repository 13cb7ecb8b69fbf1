import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { answered } from '../../calls/api.ts';
import { useAddress, useGo, useId } from '../../shell/room-address.ts';
import { useSession } from '../../shell/session.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useSites, useTimeZone } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { Details } from '../../ui/details.tsx';
import { FinalDialog } from '../../ui/final-dialog.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Moment } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useReload, useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import {
  ACCOUNT_QUERIES,
  type Account,
  type AccountAction,
  type AccountEdit,
  accountApi,
  changeAccount,
  readAccount,
} from './account-api.ts';
import { AccountFields, customerName, draftOf, editOf } from './account-form.tsx';
import { ACCOUNT } from './account-words.ts';
import { StatusBadge } from './accounts-page.tsx';
import { Factors } from './factors.tsx';
import { LeaveDialog } from './leave-dialog.tsx';
import { Logins } from './logins.tsx';
import { Sessions } from './sessions.tsx';
import { InviteAgainDialog } from './staff.tsx';

export function AccountPage() {
  const id = useId();
  const { data, error, refetch } = useQuery({ queryKey: ['account', id], queryFn: () => readAccount(id) });
  if (data) return <ShownAccount account={data} />;
  return error ? <Failed error={error} retry={() => void refetch()} /> : <Loading />;
}

function ShownAccount({ account }: { account: Account }) {
  const session = useSession();
  const toasts = useToasts();
  const reload = useReload();
  const [open, setOpen] = useState<'edit' | 'delete' | 'leave' | 'invite' | null>(null);
  const isOwn = session.account.id === account.id;
  const isOffice = session.account.role === 'operator';
  const isActive = account.status === 'active';
  const can = (action: AccountAction) => account.actions.includes(action);
  useShortcut('e', COMMON.edit, can('edit') ? () => setOpen('edit') : null);
  const status = useSubmit((json: AccountEdit, headers) => changeAccount(account.id, json, headers), {
    invalidates: ACCOUNT_QUERIES,
    onDone: ({ name }) => {
      toasts.done(ACCOUNT.activated({ name }), async () => {
        await changeAccount(account.id, { status: 'inactive' });
        reload(ACCOUNT_QUERIES);
      });
    },
  });
  const activate = () => status.mutate({ status: 'active' }, { onError: toasts.failed });
  return (
    <Page
      title={ACCOUNT.one({ name: account.name })}
      isWide={false}
      actions={
        <>
          {!isOwn && can(isActive ? 'leave' : 'activate') && (
            <Button onPress={isActive ? () => setOpen('leave') : activate} isPending={status.isPending}>
              {isActive ? ACCOUNT.leaveShort : ACCOUNT.activate}
            </Button>
          )}
          {!isOffice && can('invite') && (
            <Button onPress={() => setOpen('invite')}>{ACCOUNT.inviteAgain}</Button>
          )}
          {!isOwn && can('delete') && (
            <Button onPress={() => setOpen('delete')}>
              <Trash2 size={14} aria-hidden="true" /> {COMMON.delete}
            </Button>
          )}
          {can('edit') && (
            <Button look="primary" onPress={() => setOpen('edit')}>
              <Pencil size={14} aria-hidden="true" /> {COMMON.edit}
            </Button>
          )}
        </>
      }
    >
      {isOffice ? (
        <Tabs
          label={ACCOUNT.one({ name: account.name })}
          tabs={[
            {
              id: 'details',
              title: ACCOUNT.details,
              content: () => <AccountDetails account={account} isOffice />,
            },
            { id: 'logins', title: ACCOUNT.logins, content: () => <Logins account={account} /> },
            {
              id: 'sessions',
              title: ACCOUNT.sessions,
              content: () => <Sessions accountId={account.id} canEnd={can('end-session')} />,
            },
            {
              id: 'factors',
              title: ACCOUNT.factors,
              content: () => <Factors accountId={account.id} name={account.name} isOwn={isOwn} />,
            },
          ]}
        />
      ) : (
        <AccountDetails account={account} isOffice={false} />
      )}
      {open === 'invite' && <InviteAgainDialog account={account} onClose={() => setOpen(null)} />}
      {open === 'edit' && <EditDialog account={account} onClose={() => setOpen(null)} />}
      {open === 'leave' && <LeaveDialog account={account} onClose={() => setOpen(null)} />}
      {open === 'delete' && <DeleteDialog account={account} onClose={() => setOpen(null)} />}
    </Page>
  );
}

function AccountDetails({ account, isOffice }: { account: Account; isOffice: boolean }) {
  const addressOf = useAddress();
  const sites = useSites();
  const timeZone = useTimeZone();
  const { role, customer, permissions, siteIds, options, activity } = account;
  const { seenOn = null, last = null } = activity ?? {};
  const siteNames = (ids: readonly string[] | null | undefined) =>
    ids ? ids.map((id) => sites.find((site) => site.id === id)?.name ?? id).join(', ') : ACCOUNT.everySite;
  const rights: [string, ReactNode][] =
    role === 'operator'
      ? [
          [
            ACCOUNT.permissions,
            permissions
              ? permissions.map((one) => ACCOUNT.permission[one]).join(', ') || COMMON.none
              : ACCOUNT.everything,
          ],
          [ACCOUNT.sites, siteNames(siteIds)],
        ]
      : [
          [
            ACCOUNT.customer,
            customer && isOffice ? (
              <Link key="customer" to={addressOf(`customers/${customer.id}`)}>
                {customerName(customer)}
              </Link>
            ) : (
              customer && customerName(customer)
            ),
          ],
          [ACCOUNT.managesStaff, options.managesStaff ? COMMON.yes : null],
          [ACCOUNT.maxPermits, options.maxPermits],
          [ACCOUNT.expireTime, options.expireTime],
          [ACCOUNT.parkingTime, options['free-parking-time']],
          [ACCOUNT.withoutEnd, options.permitWithoutEnd ? COMMON.yes : null],
          [ACCOUNT.sites, siteNames(options.permitSites)],
        ];
  return (
    <section className="card">
      <Details
        rows={[
          [ACCOUNT.role, ACCOUNT.roles[role]],
          [ACCOUNT.status, <StatusBadge key="status" status={account.status} />],
          ...rights,
          [ACCOUNT.comment, account.comment],
          [
            ACCOUNT.seen,
            seenOn ? <Moment key="seen" at={seenOn} timeZone={timeZone} /> : isOffice && ACCOUNT.neverSeen,
          ],
          [ACCOUNT.didLast, last && <Moment key="last" at={last.on} timeZone={timeZone} />],
          [ACCOUNT.created, <Moment key="created" at={account.createdOn} timeZone={timeZone} isExact />],
        ]}
      />
    </section>
  );
}

function EditDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const toasts = useToasts();
  const first = draftOf(account);
  const [draft, setDraft] = useState(first);
  const edit = useSubmit((json: AccountEdit, headers) => changeAccount(account.id, json, headers), {
    invalidates: ACCOUNT_QUERIES,
    onDone: ({ name }) => {
      onClose();
      toasts.done(ACCOUNT.saved({ name }));
    },
  });
  const submit = () => {
    // Fields that were not touched stay as they are, even if another person changed them meanwhile.
    const [before, now] = [editOf(first), editOf(draft)];
    const changed = Object.entries(now).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof AccountEdit]),
    );
    edit.mutate(Object.fromEntries(changed));
  };
  return (
    <FormDialog
      title={ACCOUNT.edit}
      submit={COMMON.save}
      error={edit.error}
      isBusy={edit.isPending}
      isReady={draft.name.trim() !== '' && JSON.stringify(draft) !== JSON.stringify(first)}
      onSubmit={submit}
      onClose={onClose}
    >
      <AccountFields draft={draft} set={(changes) => setDraft({ ...draft, ...changes })} />
      <p className="hint">{ACCOUNT.savedNote}</p>
    </FormDialog>
  );
}

function DeleteDialog({ account: { id, name }, onClose }: { account: Account; onClose: () => void }) {
  const go = useGo();
  return (
    <FinalDialog
      title={ACCOUNT.delete({ name })}
      submit={ACCOUNT.delete({ name })}
      send={(headers) => answered(accountApi[':id'].$delete({ param: { id } }, { headers }))}
      invalidates={[['accounts']]}
      done={ACCOUNT.deleted({ name })}
      onDone={() => go('accounts')}
      onClose={onClose}
    >
      <p>{ACCOUNT.deleteWhy}</p>
    </FinalDialog>
  );
}
