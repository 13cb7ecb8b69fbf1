import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { Queries } from '../../platform/db/db.ts';
import {
  type Actor,
  ALL_RIGHTS,
  ALL_ROWS,
  coversRights,
  type OperatorRights,
} from '../../platform/http/caller.ts';
import {
  type AccountRow,
  anotherFullOperator,
  anotherStaffManager,
} from '../../records/accounts/account-store.ts';
import { findCustomer } from '../../records/customers/find-customer.ts';
import { sitesOfUnits } from '../../records/quotas/quota-summary.ts';
import { giftMistakes, mayManage } from '../auth/gifts.ts';
import { managesStaff } from '../auth/staff.ts';

/** Rights of parts of the cloud, which act for no particular person. */
export function rightsOfActor({ caller }: Actor): OperatorRights {
  return caller.kind === 'account' ? caller.rights : ALL_RIGHTS;
}

/**
 * Whether an operator may manage an account, give it another login, or set its password: the account must not have
 * more rights than the operator.
 */
export async function mayManageAccount(
  q: Queries,
  rights: OperatorRights,
  account: AccountRow,
): Promise<boolean> {
  if (!mayManage(rights, account)) return false;
  const worths = await worthOfHolding(q, account);
  return worths.every((worth) => coversRights(rights, worth));
}

/** The mistakes of an account that begins to act for its customer. */
export async function holderMistakes(
  q: Queries,
  { caller }: Actor,
  before: AccountRow | null,
  after: AccountRow,
): Promise<Mistake[]> {
  const isSame =
    before !== null &&
    before.customerId === after.customerId &&
    before.role === after.role &&
    before.status === after.status;
  if (isSame) return [];
  const worths = await worthOfHolding(q, after);
  return worths.flatMap((worth) => giftMistakes(caller, 'customerId', worth)).slice(0, 1);
}

/**
 * A person who acts for a customer takes vehicles into its custody. They then drive out by its terms and its prepaid
 * units, wherever these are good. For operators that is custody, which needs `people`.
 */
async function worthOfHolding(q: Queries, { role, customerId }: AccountRow): Promise<OperatorRights[]> {
  if (role !== 'customer' || customerId === null) return [];
  const customer = await findCustomer(q, customerId, ALL_ROWS);
  if (customer === null) return [];
  const { billingSsn, discount } = customer.options;
  const hasTerms = customer.billingMethod !== null || billingSsn !== null || discount > 0;
  const sites = hasTerms ? [null] : await sitesOfUnits(q, customerId);
  return sites.map((siteId) => ({ permissions: ['people'], siteIds: siteId === null ? null : [siteId] }));
}

/**
 * Whether an operator may do everything everywhere: there is always one, so that the operators are not locked
 * out.
 */
export function leads({ role, status, permissions, siteIds }: AccountRow): boolean {
  return role === 'operator' && status === 'active' && permissions === null && siteIds === null;
}

/** Why an account stays an operator with all rights: there is no other. */
export async function lastOperatorMistake(q: Queries, account: AccountRow): Promise<Mistake | null> {
  if (!leads(account) || (await anotherFullOperator(q, account.id))) return null;
  return mistake('last-operator');
}

/** Why a manager of people does not let this one leave: no other manages them. An operator can. */
export async function lastManagerMistake(q: Queries, account: AccountRow): Promise<Mistake | null> {
  const isManager = account.status === 'active' && managesStaff(account);
  return !isManager || (await anotherStaffManager(q, account)) ? null : mistake('last-manager');
}
