import type { Queries } from '../../platform/db/db.ts';
import { searchKey, sortKey } from '../../platform/db/search-key.ts';
import { and, eq, isNull, ne } from '../../platform/db/sql.ts';
import { ALL_RIGHTS, type OperatorRights } from '../../platform/http/caller.ts';
import { accountTable as t } from './account-table.ts';

export type AccountRow = Omit<typeof t.$inferSelect, 'nameKey' | 'nameFolded' | 'commentKey'>;

export async function anyAccount(q: Queries): Promise<boolean> {
  return (await q.select({ id: t.id }).from(t).limit(1).get()) !== undefined;
}

/** Whether there is an active operator beside this account who may do everything. */
export async function anotherFullOperator(q: Queries, id: string): Promise<boolean> {
  const other = await q
    .select({ id: t.id })
    .from(t)
    .where(
      and(
        eq(t.role, 'operator'),
        eq(t.status, 'active'),
        isNull(t.permissions),
        isNull(t.siteIds),
        ne(t.id, id),
      ),
    )
    .limit(1)
    .get();
  return other !== undefined;
}

/** Whether an active account beside this one manages the people of its customer who have its role. */
export async function anotherStaffManager(
  q: Queries,
  { id, role, customerId }: Pick<AccountRow, 'id' | 'role' | 'customerId'>,
): Promise<boolean> {
  if (customerId === null) return false;
  const others = await q
    .select({ options: t.options })
    .from(t)
    .where(and(eq(t.customerId, customerId), eq(t.role, role), eq(t.status, 'active'), ne(t.id, id)));
  return others.some(({ options }) => options.managesStaff === true);
}

/** @param account without a comment: it has none; without rights: all of them */
export async function insertAccount(
  q: Queries,
  account: Omit<AccountRow, 'comment' | keyof OperatorRights> &
    Partial<Pick<AccountRow, 'comment' | keyof OperatorRights>>,
): Promise<void> {
  await q.insert(t).values(stored({ comment: null, ...ALL_RIGHTS, ...account }));
}

export async function updateAccountRow(q: Queries, account: AccountRow): Promise<void> {
  await q.update(t).set(stored(account)).where(eq(t.id, account.id));
}

export async function deleteAccountRow(q: Queries, id: string): Promise<void> {
  await q.delete(t).where(eq(t.id, id));
}

function stored(account: AccountRow) {
  const { name, comment } = account;
  const keys = { nameKey: sortKey(name), nameFolded: searchKey(name) };
  return { ...account, ...keys, commentKey: comment && searchKey(comment) };
}
