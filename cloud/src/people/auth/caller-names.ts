import type { Queries } from '../../platform/db/db.ts';
import { inArray } from '../../platform/db/sql.ts';
import { accountTable, loginTable } from '../../records/accounts/account-table.ts';
import { tokenTable } from '../../records/auth/token-table.ts';

/** The names of the people in history and audit, by their id there (`callerName`); others are left out. */
export async function callerNames(
  q: Queries,
  callers: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const ids = (kind: string) =>
    [...new Set(callers)].flatMap((by) => (by.startsWith(`${kind}:`) ? [by.slice(kind.length + 1)] : []));
  const [accounts, tokens] = [ids('account'), ids('token')];
  const names = new Map<string, string>();
  if (accounts.length > 0) {
    const logins = await q
      .select({ accountId: loginTable.accountId, name: loginTable.name })
      .from(loginTable)
      .where(inArray(loginTable.accountId, accounts));
    for (const { accountId, name } of logins) if (name !== null) names.set(`account:${accountId}`, name);
    const named = await q
      .select({ id: accountTable.id, name: accountTable.name })
      .from(accountTable)
      .where(inArray(accountTable.id, accounts));
    for (const { id, name } of named) if (name !== '') names.set(`account:${id}`, name);
  }
  if (tokens.length > 0) {
    const named = await q
      .select({ id: tokenTable.id, name: tokenTable.name })
      .from(tokenTable)
      .where(inArray(tokenTable.id, tokens));
    for (const { id, name } of named) if (name !== null) names.set(`token:${id}`, name);
  }
  return names;
}
