import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { type Allowance, allowanceOf } from '../../people/auth/allowance.ts';
import { tokenOptions } from '../../people/auth/tokens.ts';
import type { Queries } from '../../platform/db/db.ts';
import { type ActingCaller, callerName, ownRows } from '../../platform/http/caller.ts';
import { type RefusedInput, refusedInput } from '../../platform/refused.ts';
import type { AccountOptions } from '../../records/accounts/account-table.ts';
import { findAccount } from '../../records/accounts/find-account.ts';
import { billingMethodOf } from '../../records/customers/customer-billing.ts';
import { latestEnd } from './permit-allowance.ts';

/** The author of an entry, and what that account is given. */
export interface EntryAuthor {
  author: string;
  authorId: string | null;
  customerId: string | null;
  name: string | null;
  options: AccountOptions;
  /** The allowance within which the entry must be; null: an operator makes it. */
  allowance: Allowance | null;
}

/** The caller itself, or the account to which an operator assigns the entry. */
export async function chooseAuthor(
  q: Queries,
  caller: ActingCaller,
  authorId: string | undefined,
): Promise<{ ok: true; author: EntryAuthor } | RefusedInput> {
  const ownId = caller.kind === 'account' ? caller.accountId : null;
  if (authorId !== undefined && authorId !== ownId && !ownRows(caller).all) {
    return refusedInput(mistake('operators-only', 'authorId'));
  }
  const id = authorId ?? ownId;
  if (id === null) {
    const options = caller.kind === 'role' ? await tokenOptions(q, caller.tokenId) : {};
    const author = { author: callerName(caller), authorId: null, customerId: null, name: null };
    return { ok: true, author: { ...author, options, allowance: allowanceFor(caller, options) } };
  }
  const account = await findAccount(q, id);
  if (account === null) return refusedInput(mistake('not-found', 'authorId', { what: 'account' }));
  const { customerId, name, options } = account;
  const method = await billingMethodOf(q, customerId);
  const isBilled = method === 'daily' || method === 'monthly';
  const allowance = allowanceFor(caller, options, isBilled);
  return {
    ok: true,
    author: { author: `account:${id}`, authorId: id, customerId, name, options, allowance },
  };
}

function allowanceFor(caller: ActingCaller, options: AccountOptions, isBilled = false): Allowance | null {
  return ownRows(caller).all ? null : allowanceOf(options, isBilled);
}

/** The time at which an entry of this author expires, unless the entry sets one. */
export function usualExpiry({ options, allowance }: EntryAuthor, from: UtcTime): UtcTime | null {
  if (allowance !== null) return latestEnd(allowance, from);
  const { expireTime } = options;
  return expireTime === undefined ? null : utcTime(millis(from) + expireTime * MINUTE_MS);
}
