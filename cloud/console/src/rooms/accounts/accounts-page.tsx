import { Badge } from '@hlid/ui/badge';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAddress, useGo } from '../../shell/room-address.ts';
import { can, useSession } from '../../shell/session.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useTimeZone } from '../../shell/site.ts';
import { type Filters, useFilters } from '../../shell/use-filters.ts';
import { Button } from '../../ui/button.tsx';
import { ClearFilters } from '../../ui/clear-filters.tsx';
import { CheckField, ChoiceField, TextField } from '../../ui/field.tsx';
import { FilterText } from '../../ui/filter-text.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useList } from '../../ui/use-list.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { LANGUAGE } from '../../words/words.ts';
import {
  ACCOUNT_QUERIES,
  type AccountQuery,
  addAccount,
  type ListedAccount,
  listAccounts,
  type NewAccount,
} from './account-api.ts';
import { AccountFields, customerName, EMPTY_ACCOUNT, editOf } from './account-form.tsx';
import { ACCOUNT } from './account-words.ts';
import { NewPassword } from './logins.tsx';
import { InviteStaffDialog } from './staff.tsx';
import './accounts.css';

const ROLES = ['operator', 'customer', 'partner', 'whitelist'] as const;
const STATUSES = ['active', 'inactive'] as const;

function queryOf({ name, email, role, status }: Filters): AccountQuery {
  const ofRole = ROLES.find((one) => one === role);
  const inState = STATUSES.find((one) => one === status);
  return {
    order: 'name',
    include: 'customer,activity',
    ...(name && { name }),
    ...(email && { email }),
    ...(ofRole && { role: ofRole }),
    ...(inState && { status: inState }),
  };
}

/** Whether the dialog for a new account is open. The palette asks for an invitation in the address. */
function useAdding(mayAdd: boolean) {
  const { filters, setFilters } = useFilters();
  const [isOpen, setOpen] = useState(false);
  const isInviting = filters['invite'] !== undefined && mayAdd;
  const setAdding = (isNow: boolean) => {
    setOpen(isNow);
    if (isInviting) setFilters({ invite: null });
  };
  return { isAdding: isOpen || isInviting, isInviting, setAdding };
}

export function AccountsPage() {
  const addressOf = useAddress();
  const timeZone = useTimeZone();
  const { filters, setFilters, clear } = useFilters();
  const session = useSession();
  const isOffice = session.account.role === 'operator';
  const mayAdd = can(session, isOffice ? 'new-account' : 'invite-staff');
  const [title, add] = isOffice ? [ACCOUNT.title, ACCOUNT.add] : [ACCOUNT.staff, ACCOUNT.inviteStaff];
  const { isAdding, isInviting, setAdding } = useAdding(mayAdd);
  useShortcut('n', add, mayAdd ? () => setAdding(true) : null);
  // The people of a manager have its role.
  const query = queryOf(isOffice ? filters : { ...filters, role: session.account.role });
  const list = useList<ListedAccount>(
    ['accounts', query],
    ({ id }) => id,
    (next) => listAccounts({ ...query, ...(next !== undefined && { next }) }),
  );
  return (
    <Page
      title={title}
      actions={
        mayAdd && (
          <Button look="primary" onPress={() => setAdding(true)}>
            <Plus size={14} aria-hidden="true" /> {add}
          </Button>
        )
      }
      filters={
        <>
          <FilterText
            label={ACCOUNT.name}
            value={filters['name']}
            onChange={(name) => setFilters({ name })}
          />
          <FilterText
            label={ACCOUNT.email}
            value={filters['email']}
            onChange={(email) => setFilters({ email })}
          />
          {isOffice && (
            <ChoiceField
              label={ACCOUNT.role}
              value={filters['role'] ?? ''}
              choices={[['', ACCOUNT.anything], ...ROLES.map((role) => [role, ACCOUNT.roles[role]] as const)]}
              onChange={(role) => setFilters({ role })}
            />
          )}
          <ChoiceField
            label={ACCOUNT.status}
            value={filters['status'] ?? ''}
            choices={[
              ['', ACCOUNT.anything],
              ...STATUSES.map((one) => [one, ACCOUNT.statuses[one]] as const),
            ]}
            onChange={(status) => setFilters({ status })}
          />
          <ClearFilters isAny={Object.keys(filters).some((name) => name !== 'invite')} onClear={clear} />
        </>
      }
    >
      <ListView
        list={list}
        label={title}
        idOf={({ id }) => id}
        linkOf={({ id }) => ({ to: addressOf(`accounts/${id}`) })}
        columns={[
          { id: 'name', title: ACCOUNT.name, isWide: true, cell: ({ name }) => name },
          { id: 'role', title: ACCOUNT.role, cell: ({ role }) => ACCOUNT.roles[role] },
          { id: 'status', title: ACCOUNT.status, cell: ({ status }) => <StatusBadge status={status} /> },
          {
            id: 'customer',
            title: ACCOUNT.customer,
            cell: ({ customer }) => customer && customerName(customer),
          },
          ...(isOffice
            ? [
                {
                  id: 'seen',
                  title: ACCOUNT.seen,
                  cell: ({ activity }: ListedAccount) =>
                    activity?.seenOn ? (
                      <Moment at={activity.seenOn} timeZone={timeZone} />
                    ) : (
                      ACCOUNT.neverSeen
                    ),
                },
              ]
            : []),
          {
            id: 'created',
            title: ACCOUNT.created,
            cell: ({ createdOn }) => <Moment at={createdOn} timeZone={timeZone} />,
          },
        ]}
        empty={<Empty title={ACCOUNT.empty} />}
      />
      {isAdding && isOffice && (
        <NewAccountDialog isInvited={isInviting} onAdded={list.showNext} onClose={() => setAdding(false)} />
      )}
      {isAdding && !isOffice && (
        <InviteStaffDialog onInvited={list.showNext} onClose={() => setAdding(false)} />
      )}
    </Page>
  );
}

export function StatusBadge({ status }: Pick<ListedAccount, 'status'>) {
  return <Badge tone={status === 'active' ? 'positive' : 'neutral'}>{ACCOUNT.statuses[status]}</Badge>;
}

function NewAccountDialog({
  isInvited,
  onAdded,
  onClose,
}: {
  /** The dialog begins with an invitation by mail, instead of a password. */
  isInvited: boolean;
  onAdded: () => void;
  onClose: () => void;
}) {
  const toasts = useToasts();
  const go = useGo();
  const [draft, setDraft] = useState(EMPTY_ACCOUNT);
  const [login, setLogin] = useState({ email: '', password: '', isInvited });
  const add = useSubmit((json: NewAccount, headers) => addAccount(json, headers), {
    invalidates: ACCOUNT_QUERIES,
    onDone: ({ id, name }) => {
      onAdded();
      onClose();
      toasts.done(ACCOUNT.added({ name }));
      go(`accounts/${id}`);
    },
  });
  const submit = () => {
    const { customerId, options, ...edit } = editOf(draft);
    const given = Object.entries(options ?? {}).filter(([, value]) => value !== null);
    add.mutate({
      account: {
        ...edit,
        role: draft.role,
        status: 'active',
        ...(draft.role !== 'operator' && { options: Object.fromEntries(given) }),
        ...(customerId !== 'remove' && customerId !== undefined && { customerId }),
      },
      ...(login.email.trim() !== '' && {
        authentication: {
          email: login.email.trim(),
          ...(login.isInvited ? { invite: LANGUAGE } : { password: login.password }),
        },
      }),
    });
  };
  return (
    <FormDialog
      title={ACCOUNT.add}
      submit={ACCOUNT.addSubmit({ name: draft.name.trim() })}
      error={add.error}
      isBusy={add.isPending}
      isReady={draft.name.trim() !== ''}
      onSubmit={submit}
      onClose={onClose}
    >
      <AccountFields draft={draft} set={(changes) => setDraft({ ...draft, ...changes })} />
      <fieldset className="choices">
        <legend>{ACCOUNT.firstLogin}</legend>
        <p className="hint">{ACCOUNT.firstLoginHint}</p>
        <div className="row">
          <TextField
            label={ACCOUNT.email}
            name="email"
            type="email"
            autoComplete="off"
            value={login.email}
            onChange={(email) => setLogin({ ...login, email })}
          />
          {!login.isInvited && (
            <NewPassword
              label={ACCOUNT.password}
              value={login.password}
              onChange={(password) => setLogin({ ...login, password })}
            />
          )}
        </div>
        <CheckField
          label={ACCOUNT.invite}
          isSelected={login.isInvited}
          onChange={(isInvited) => setLogin({ ...login, isInvited })}
        />
      </fieldset>
    </FormDialog>
  );
}
