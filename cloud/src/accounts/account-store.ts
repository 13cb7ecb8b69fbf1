import { eq, sql } from 'drizzle-orm';
import type { Queries } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import { accountTable, loginTable } from './account-table.ts';

export type AccountRow = typeof accountTable.$inferSelect;

const loginByName = prepared((q) =>
  q
    .select({
      passwordHash: loginTable.passwordHash,
      expiresAt: loginTable.expiresAt,
      account: accountTable,
    })
    .from(loginTable)
    .innerJoin(accountTable, eq(accountTable.id, loginTable.accountId))
    .where(eq(loginTable.name, sql.placeholder('name')))
    .prepare(),
);

/** A login by what is typed as its id, in whatever case. */
export async function findLogin(
  q: Queries,
  name: string,
): Promise<{ passwordHash: string; expiresAt: string | null; account: AccountRow } | null> {
  return (await loginByName(q).get({ name: loginName(name) })) ?? null;
}

export async function findAccount(q: Queries, id: string): Promise<AccountRow | null> {
  return (await q.select().from(accountTable).where(eq(accountTable.id, id)).get()) ?? null;
}

export async function anyAccount(q: Queries): Promise<boolean> {
  return (await q.select({ id: accountTable.id }).from(accountTable).limit(1).get()) !== undefined;
}

export async function insertAccount(q: Queries, account: AccountRow): Promise<void> {
  await q.insert(accountTable).values(account);
}

export async function insertLogin(q: Queries, login: typeof loginTable.$inferSelect): Promise<void> {
  await q.insert(loginTable).values({ ...login, name: loginName(login.name) });
}

/** How a login's id is kept and compared. */
export function loginName(typed: string): string {
  return typed.trim().normalize('NFKC').toLowerCase();
}
