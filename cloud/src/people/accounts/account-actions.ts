import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { Queries } from '../../platform/db/db.ts';
import { type Caller, hasPermission, ownRows } from '../../platform/http/caller.ts';
import type { AccountRow } from '../../records/accounts/account-store.ts';
import { findAccount } from '../../records/accounts/find-account.ts';
import { type LoginRow, loginsOf } from '../../records/accounts/find-logins.ts';
import { type ActionRules, actionsFor, actionsSchema, NOT_ALLOWED } from '../auth/record-actions.ts';
import { isStaffOf } from '../auth/staff.ts';
import { lastManagerMistake, lastOperatorMistake, mayManageAccount } from './manage-account.ts';

export const ACCOUNT_ACTION_NAMES = [
  'rename',
  'edit',
  'activate',
  'deactivate',
  'leave',
  'delete',
  'invite',
  'add-login',
  'move-login',
  'delete-login',
  'set-password',
  'end-session',
] as const;
export type AccountAction = (typeof ACCOUNT_ACTION_NAMES)[number];

/** The facts that decide about the actions of an account. */
export interface AccountFacts extends Pick<AccountRow, 'status'> {
  isOwn: boolean;
  /** The caller is an operator that manages people. */
  isManager: boolean;
  /** The caller is an operator, and the account has no more rights. */
  isManageable: boolean;
  /** The caller is no operator, and manages this person. */
  isStaff: boolean;
  /** It is such a person’s, who was invited and has not chosen a password. */
  isWaiting: boolean;
  /** Why it stays as it is: it is the last operator with all rights. */
  last: Mistake | null;
}

const CHANGE = 'PUT /accounts/:id';

/** The actions of an account, its logins and its sessions. The commands refuse by these rules. */
export const ACCOUNT_ACTIONS = {
  rename: { route: CHANGE, refuse: refuseRename },
  edit: { route: CHANGE, refuse: refuseEdit },
  activate: {
    route: CHANGE,
    refuse: (account: AccountFacts) =>
      account.status === 'active' ? ('nothing-to-do' as const) : refuseEdit(account),
  },
  deactivate: {
    route: CHANGE,
    refuse: (account: AccountFacts) =>
      account.status === 'inactive' ? ('nothing-to-do' as const) : (refuseEdit(account) ?? account.last),
  },
  leave: {
    route: 'POST /accounts/:id/leave',
    refuse: ({
      status,
      isManageable,
      isStaff,
      last,
    }: Omit<AccountFacts, 'isOwn' | 'isManager' | 'isWaiting'>) =>
      refuseLarger({ isManageable: isManageable || isStaff }) ??
      (status === 'inactive' ? ('nothing-to-do' as const) : last),
  },
  delete: {
    route: 'DELETE /accounts/:id',
    refuse: ({ isManageable, last }: Pick<AccountFacts, 'isManageable' | 'last'>) =>
      refuseLarger({ isManageable }) ?? last,
  },
  invite: {
    route: 'POST /accounts/:id/invite',
    refuse: ({
      status,
      isManageable,
      isWaiting,
    }: Pick<AccountFacts, 'status' | 'isManageable' | 'isWaiting'>) =>
      refuseLarger({ isManageable: isManageable || isWaiting }) ??
      (status === 'active' ? null : mistake('cannot-be-invited')),
  },
  'add-login': { route: 'POST /accounts/:id/logins', refuse: refuseLarger },
  'move-login': { route: 'PUT /accounts/:id/logins', refuse: refuseLarger },
  'delete-login': { route: 'DELETE /accounts/:id/logins', refuse: refuseLarger },
  'set-password': { route: 'POST /accounts/:id/change-password', refuse: refuseStranger },
  'end-session': { route: 'DELETE /accounts/:id/tokens/:tokenId', refuse: refuseStranger },
} satisfies ActionRules<AccountAction, AccountFacts>;

export const AccountActionsSchema = actionsSchema(ACCOUNT_ACTION_NAMES, ACCOUNT_ACTIONS);

/** People change their own name; the rest is for those who manage people. */
function refuseRename({
  isOwn,
  isManager,
  isManageable,
}: Pick<AccountFacts, 'isOwn' | 'isManager' | 'isManageable'>): Mistake | null {
  return isOwn || (isManager && isManageable) ? null : NOT_ALLOWED;
}

function refuseEdit({
  isOwn,
  isManager,
  isManageable,
}: Pick<AccountFacts, 'isOwn' | 'isManager' | 'isManageable'>): Mistake | null {
  return isManager && (isOwn || isManageable) ? null : NOT_ALLOWED;
}

function refuseLarger({ isManageable }: Pick<AccountFacts, 'isManageable'>): Mistake | null {
  return isManageable ? null : NOT_ALLOWED;
}

function refuseStranger({
  isOwn,
  isManageable,
}: Pick<AccountFacts, 'isOwn' | 'isManageable'>): Mistake | null {
  return isOwn || isManageable ? null : NOT_ALLOWED;
}

export async function accountFacts(q: Queries, caller: Caller, account: AccountRow): Promise<AccountFacts> {
  const isOffice = caller.kind === 'account' && ownRows(caller).all;
  const isStaff = await isStaffOfCaller(q, caller, account);
  return {
    status: account.status,
    isOwn: caller.kind === 'account' && caller.accountId === account.id,
    isManager: isOffice && hasPermission(caller.rights, 'people'),
    isManageable:
      caller.kind === 'cloud' || (isOffice && (await mayManageAccount(q, caller.rights, account))),
    isStaff,
    isWaiting: isStaff && (await loginsOf(q, [account.id])).some(isUnused),
    last: (await lastOperatorMistake(q, account)) ?? (isStaff ? await lastManagerMistake(q, account) : null),
  };
}

async function isStaffOfCaller(q: Queries, caller: Caller, account: AccountRow): Promise<boolean> {
  if (caller.kind !== 'account' || caller.managesStaff !== true) return false;
  const manager = await findAccount(q, caller.accountId);
  return manager !== null && isStaffOf(manager, account);
}

/** A login of a person who was invited and has not followed the link. */
function isUnused({ name, ssn, passwordHash }: LoginRow): boolean {
  return name !== null && ssn === null && passwordHash === null;
}

/** The actions of the caller on an account now. */
export async function actionsOfAccount(
  q: Queries,
  caller: Caller,
  account: AccountRow,
): Promise<AccountAction[]> {
  const facts = await accountFacts(q, caller, account);
  return actionsFor(ACCOUNT_ACTION_NAMES, ACCOUNT_ACTIONS, caller, { accountId: account.id }, facts);
}
