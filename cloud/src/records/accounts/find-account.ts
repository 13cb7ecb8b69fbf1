import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { eqPlaceholder } from '../../platform/db/sql.ts';
import type { OwnRows } from '../../platform/http/caller.ts';
import type { AccountRow } from './account-store.ts';
import { accountTable as t } from './account-table.ts';

const accountById = prepared((q) => q.select().from(t).where(eqPlaceholder(t.id, 'id')).prepare());

export async function findAccount(q: Queries, id: string): Promise<AccountRow | null> {
  return (await accountById(q).get({ id })) ?? null;
}

/** How an account is named as an author; what follows is its id. */
export const ACCOUNT_AUTHOR = 'account:';

/** Whether the caller may see an account: of its customer, or its own. */
export function seesAccount(own: OwnRows, account: AccountRow): boolean {
  if (own.all) return true;
  return own.customerId === null ? isOwnAccount(own, account.id) : account.customerId === own.customerId;
}

/** Whether it is the caller's own. */
export function isOwnAccount(own: OwnRows, id: string): boolean {
  return !own.all && own.author === `${ACCOUNT_AUTHOR}${id}`;
}
