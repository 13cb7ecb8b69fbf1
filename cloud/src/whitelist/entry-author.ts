import { MINUTE_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import { findAccount } from '../accounts/account-store.ts';
import type { AccountOptions } from '../accounts/account-table.ts';
import { type ActingCaller, callerName, ownRows } from '../auth/caller.ts';
import type { Queries } from '../db/db.ts';
import { type RefusedInput, refusedInput } from '../refused.ts';

/** Whose entry it is, and what that account is given. */
export interface EntryAuthor {
  author: string;
  authorId: string | null;
  customerId: string | null;
  name: string | null;
  options: AccountOptions;
}

/** The caller itself, or the account to which an operator assigns the entry. */
export async function chooseAuthor(
  q: Queries,
  caller: ActingCaller,
  authorId: string | undefined,
): Promise<{ ok: true; author: EntryAuthor } | RefusedInput> {
  const ownId = caller.kind === 'account' ? caller.accountId : null;
  if (authorId !== undefined && authorId !== ownId && !ownRows(caller).all) {
    return refusedInput('authorId: only operators may set it');
  }
  const id = authorId ?? ownId;
  if (id === null) {
    const author = { author: callerName(caller), authorId: null, customerId: null, name: null, options: {} };
    return { ok: true, author };
  }
  const account = await findAccount(q, id);
  if (account === null) return refusedInput('authorId: there is no such account');
  const { customerId, name, options } = account;
  return { ok: true, author: { author: `account:${id}`, authorId: id, customerId, name, options } };
}

/** When an entry of this author expires that does not say so itself. */
export function usualExpiry({ options }: EntryAuthor, now: UtcTime): UtcTime | null {
  const { expireTime } = options;
  return expireTime === undefined ? null : utcTime(millis(now) + expireTime * MINUTE_MS);
}
