import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { and, eq, eqPlaceholder } from '../../platform/db/sql.ts';
import { accountTable, loginTable as t } from './account-table.ts';
import type { LoginOfAccount, LoginRow } from './find-logins.ts';

const loginByName = prepared((q) =>
  q
    .select({ login: t, account: accountTable })
    .from(t)
    .innerJoin(accountTable, eq(accountTable.id, t.accountId))
    .where(eqPlaceholder(t.name, 'name'))
    .prepare(),
);

const loginBySsn = prepared((q) =>
  q
    .select({ login: t, account: accountTable })
    .from(t)
    .innerJoin(accountTable, eq(accountTable.id, t.accountId))
    .where(eqPlaceholder(t.ssn, 'ssn'))
    .prepare(),
);

/** A login by what is typed as its id: its name in whatever case, or the national id of its holder. */
export async function findLogin(q: Queries, typed: string): Promise<LoginOfAccount | null> {
  const name = loginName(typed);
  return (await loginByName(q).get({ name })) ?? (await findLoginBySsn(q, name));
}

/** The login with that national id: ten digits. */
export async function findLoginBySsn(q: Queries, ssn: string): Promise<LoginOfAccount | null> {
  return (await loginBySsn(q).get({ ssn })) ?? null;
}

/** An account's login by what names it: one of the two. */
export async function findLoginOf(
  q: Queries,
  accountId: string,
  { email, ssn }: { email?: string | undefined; ssn?: string | undefined },
): Promise<LoginRow | null> {
  const found = await q
    .select()
    .from(t)
    .where(
      and(
        eq(t.accountId, accountId),
        email === undefined ? undefined : eq(t.name, loginName(email)),
        ssn === undefined ? undefined : eq(t.ssn, ssn),
      ),
    )
    .get();
  return found ?? null;
}

export async function insertLogin(q: Queries, login: LoginRow): Promise<void> {
  await q.insert(t).values({ ...login, name: login.name && loginName(login.name) });
}

export async function updateLoginRow(q: Queries, login: LoginRow): Promise<void> {
  await q.update(t).set(login).where(eq(t.id, login.id));
}

export async function deleteLoginRow(q: Queries, id: string): Promise<void> {
  await q.delete(t).where(eq(t.id, id));
}

export async function deleteLoginsOf(q: Queries, accountId: string): Promise<void> {
  await q.delete(t).where(eq(t.accountId, accountId));
}

/** How a login's id is kept and compared: a national id without its dash, all else in lower case. */
export function loginName(typed: string): string {
  const name = typed.trim().normalize('NFKC').toLowerCase();
  return SSN.test(name) ? name.replace(/\D/g, '') : name;
}

const SSN = /^\d{6}[- ]?\d{4}$/;
