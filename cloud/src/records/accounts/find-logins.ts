import type { Queries } from '../../platform/db/db.ts';
import { eq, inArray } from '../../platform/db/sql.ts';
import type { AccountRow } from './account-store.ts';
import { accountTable, loginTable as t } from './account-table.ts';

export type LoginRow = typeof t.$inferSelect;

/** A login and its account. */
export interface LoginOfAccount {
  login: LoginRow;
  account: AccountRow;
}

export async function findLoginById(q: Queries, id: string): Promise<LoginOfAccount | null> {
  const found = await q
    .select({ login: t, account: accountTable })
    .from(t)
    .innerJoin(accountTable, eq(accountTable.id, t.accountId))
    .where(eq(t.id, id))
    .get();
  return found ?? null;
}

/** The logins of some accounts, oldest first. */
export async function loginsOf(q: Queries, accountIds: readonly string[]): Promise<LoginRow[]> {
  if (accountIds.length === 0) return [];
  return await q
    .select()
    .from(t)
    .where(inArray(t.accountId, [...accountIds]))
    .orderBy(t.createdAt, t.id);
}
