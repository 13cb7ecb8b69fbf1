import { newId } from '@hlid/node/new-id';
import { canonicalJson } from '@hlid/protocol/base/canonical-json';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { writeWhole } from '../../platform/db/write-whole.ts';
import { type Actor, ALL_ROWS, ownRows } from '../../platform/http/caller.ts';
import { isStale, STALE } from '../../platform/http/etag.ts';
import { mergeSettings } from '../../platform/http/merge-settings.ts';
import { omitUndefined } from '../../platform/omit-undefined.ts';
import { NOT_FOUND, type Refused, type RefusedEdit, refusedInput } from '../../platform/refused.ts';
import {
  type AccountRow,
  deleteAccountRow,
  insertAccount,
  updateAccountRow,
} from '../../records/accounts/account-store.ts';
import type { AccountOptions } from '../../records/accounts/account-table.ts';
import { findAccount, seesAccount } from '../../records/accounts/find-account.ts';
import { deleteLoginsOf } from '../../records/accounts/login-store.ts';
import { findCustomer } from '../../records/customers/find-customer.ts';
import { siteById } from '../../records/sites/choose-site.ts';
import { letPermitsEnd } from '../../records/whitelist/let-permits-end.ts';
import { auditOf } from '../audit/audit.ts';
import { accountGiftMistakes, optionsWithin } from '../auth/gifts.ts';
import { NOT_ALLOWED } from '../auth/record-actions.ts';
import { deleteTokensOf, revokeTokensOf } from '../auth/tokens.ts';
import { createCustomer } from '../customers/change-customers.ts';
import {
  type AccountEdit,
  AccountOptionsSchema,
  accountFrom,
  type NewAccount,
  REMOVE_CUSTOMER,
} from './account.ts';
import { ACCOUNT_ACTIONS, accountFacts } from './account-actions.ts';
import type { AccountRegistration } from './account-registration.ts';
import { addLogin, findTaken, hashOf, newLoginRow } from './change-logins.ts';
import {
  holderMistakes,
  lastOperatorMistake,
  leads,
  mayManageAccount,
  rightsOfActor,
} from './manage-account.ts';

const auditAccount = auditOf('account', (account: AccountRow) => ({
  ...accountFrom(account),
  comment: account.comment,
}));

/** The caller may see it, and may not change it. */
export const DENIED = { ok: false, reason: 'denied' } as const;

export type AccountResult = { ok: true; account: AccountRow } | Refused;

/** Makes an account, with a customer and a first login where they are given: all of it or nothing. */
export async function registerAccount(
  db: Db,
  actor: Actor,
  { account, customer, authentication }: AccountRegistration,
  publicUrl: string,
): Promise<AccountResult> {
  if (customer !== undefined && account.customerId !== undefined) {
    return refusedInput(mistake('not-beside-new-customer', 'account.customerId'));
  }
  const passwordHash = authentication === undefined ? null : await hashOf(authentication);
  return await writeWhole(db, async (tx): Promise<AccountResult> => {
    const taken = authentication === undefined ? null : await findTaken(tx.q, authentication);
    if (taken !== null) return { ...taken.refused, id: taken.accountId };
    const made = customer === undefined ? null : await createCustomer(tx, actor, customer);
    if (made !== null && !made.ok) return made;
    const name = account.name ?? made?.customer.name ?? authentication?.email;
    const created = await createAccount(tx, actor, {
      ...account,
      ...(name === undefined ? {} : { name }),
      ...(made === null ? {} : { customerId: made.customer.id }),
    });
    if (created.ok && authentication !== undefined) {
      const login = newLoginRow(created.account.id, authentication, passwordHash, actor.at);
      await addLogin(tx, actor, login, { language: authentication.invite, publicUrl });
    }
    return created;
  });
}

/** Makes an account without a login, within the transaction that may make its customer too. */
export async function createAccount(tx: Tx, actor: Actor, body: NewAccount): Promise<AccountResult> {
  const customerId = chosenCustomer(body.customerId) ?? null;
  const account: AccountRow = {
    id: newId(),
    role: body.role,
    name: body.name ?? body.role,
    status: body.status,
    options: optionsWithin(actor.caller, body.role, body.options ?? {}),
    comment: body.comment ?? null,
    permissions: body.permissions ?? null,
    siteIds: body.siteIds ?? null,
    customerId,
    createdAt: actor.at,
    modifiedAt: actor.at,
  };
  const mistakes = [
    await customerMistake(tx.q, customerId),
    await sitesMistake(tx.q, account.options),
    ...(await rightsMistakes(tx.q, account)),
    ...accountGiftMistakes(actor.caller, null, account),
    ...(await holderMistakes(tx.q, actor, null, account)),
  ].filter((found) => found !== null);
  if (mistakes.length > 0) return refusedInput(...mistakes);
  await insertAccount(tx.q, account);
  await auditAccount(tx, actor, 'account.create', null, account);
  return { ok: true, account };
}

/** Changes the given fields. People change their own name; the other fields are for operators. */
export async function updateAccount(
  db: Db,
  actor: Actor,
  id: string,
  edit: AccountEdit,
): Promise<AccountResult | RefusedEdit | typeof DENIED> {
  return await db.write(async (tx) => {
    const own = ownRows(actor.caller);
    const before = await findAccount(tx.q, id);
    if (before === null || !seesAccount(own, before)) return NOT_FOUND;
    if (isStale(actor, before)) return STALE;
    const facts = await accountFacts(tx.q, actor.caller, before);
    if (ACCOUNT_ACTIONS.rename.refuse(facts) !== null) return DENIED;
    if (ACCOUNT_ACTIONS.edit.refuse(facts) !== null) {
      const { name: _name, ...operators } = omitUndefined(edit);
      const code = own.all ? 'people-permission-needed' : 'operators-change';
      const mistakes = Object.keys(operators).map((field) => mistake(code, [field]));
      if (mistakes.length > 0) return refusedInput(...mistakes);
    }
    return await changeAccount(tx, actor, before, edit);
  });
}

/** Makes an account act for that customer, within the transaction that may make it. */
export async function attachCustomer(
  tx: Tx,
  actor: Actor,
  accountId: string,
  customerId: string,
): Promise<AccountResult | typeof DENIED> {
  const before = await findAccount(tx.q, accountId);
  if (before === null) return NOT_FOUND;
  if (!(await mayManageAccount(tx.q, rightsOfActor(actor), before))) return DENIED;
  return await changeAccount(tx, actor, before, { customerId });
}

export async function changeAccount(
  tx: Tx,
  actor: Actor,
  before: AccountRow,
  { customerId, options, ...fields }: AccountEdit,
): Promise<AccountResult> {
  const chosen = chosenCustomer(customerId);
  const merged = mergeSettings(AccountOptionsSchema, before.options, options, 'options');
  if (!merged.ok) return merged;
  const edited: AccountRow = {
    ...before,
    ...omitUndefined(fields),
    options: merged.settings,
    customerId: chosen === undefined ? before.customerId : chosen,
  };
  if (canonicalJson(edited) === canonicalJson(before)) return { ok: true, account: before };
  const moved = edited.customerId !== before.customerId;
  const mistakes = [
    moved ? await customerMistake(tx.q, edited.customerId) : null,
    options === undefined ? null : await sitesMistake(tx.q, edited.options),
    leads(edited) ? null : await lastOperatorMistake(tx.q, before),
    ...(await rightsMistakes(tx.q, edited)),
    ...accountGiftMistakes(actor.caller, before, edited),
    ...(await holderMistakes(tx.q, actor, before, edited)),
  ].filter((found) => found !== null);
  if (mistakes.length > 0) return refusedInput(...mistakes);
  const account = { ...edited, modifiedAt: actor.at };
  await updateAccountRow(tx.q, account);
  // The rights for which its tokens were issued have changed.
  const rightsOf = ({ role, status, permissions, siteIds }: AccountRow) =>
    canonicalJson({ role, status, permissions, siteIds });
  if (moved || rightsOf(account) !== rightsOf(before)) await revokeTokensOf(tx, account.id, actor.at);
  if (account.status === 'inactive' && before.status === 'active') await endPermits(tx, actor, before);
  await auditAccount(tx, actor, 'account.update', before, account);
  return { ok: true, account };
}

/** Takes an account away, with its logins and tokens; what it has done stays in the audit log. */
export async function deleteAccount(
  db: Db,
  actor: Actor,
  id: string,
): Promise<{ ok: true } | Refused | typeof DENIED> {
  return await db.write(async (tx) => {
    const account = await findAccount(tx.q, id);
    if (account === null) return NOT_FOUND;
    const refused = ACCOUNT_ACTIONS.delete.refuse(await accountFacts(tx.q, actor.caller, account));
    if (refused !== null) return refused === NOT_ALLOWED ? DENIED : refusedInput(refused);
    await deleteTokensOf(tx, id);
    await deleteLoginsOf(tx.q, id);
    await deleteAccountRow(tx.q, id);
    await endPermits(tx, actor, account);
    await auditAccount(tx, actor, 'account.delete', account, null);
    return { ok: true };
  });
}

/** Entries of an operator belong to the house, and stay. */
async function endPermits(tx: Tx, actor: Actor, { id, role }: AccountRow): Promise<void> {
  if (role !== 'operator') await letPermitsEnd(tx, actor, id);
}

/** Rights are an operator's, and for sites that are there. */
async function rightsMistakes(
  q: Queries,
  { role, permissions, siteIds }: Pick<AccountRow, 'role' | 'permissions' | 'siteIds'>,
): Promise<Mistake[]> {
  const mistakes: Mistake[] = [];
  if (role !== 'operator') {
    if (permissions !== null) mistakes.push(mistake('operators-have', 'permissions'));
    if (siteIds !== null) mistakes.push(mistake('operators-have', 'siteIds'));
    return mistakes;
  }
  for (const id of siteIds ?? []) {
    if ((await siteById(q, id)) === null) mistakes.push(mistake('no-site-of-id', 'siteIds', { id }));
  }
  return mistakes;
}

/** Undefined: as it was; null: none. */
function chosenCustomer(customerId: string | undefined): string | null | undefined {
  return customerId === REMOVE_CUSTOMER ? null : customerId;
}

async function customerMistake(q: Queries, customerId: string | null): Promise<Mistake | null> {
  if (customerId === null || (await findCustomer(q, customerId, ALL_ROWS)) !== null) return null;
  return mistake('not-found', 'customerId', { what: 'customer' });
}

/** Whether the sites of the options are all there. */
export async function sitesMistake(
  q: Queries,
  { permitSites = [] }: AccountOptions,
): Promise<Mistake | null> {
  for (const id of permitSites) {
    if ((await siteById(q, id)) === null) return mistake('no-site-of-id', 'options.permitSites', { id });
  }
  return null;
}
