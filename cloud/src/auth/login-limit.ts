import type { UtcTime } from '@hlid/protocol/utc-time';
import { eq, inArray, sql } from 'drizzle-orm';
import { loginAttemptTable } from '../accounts/account-table.ts';
import { loginName } from '../accounts/login-store.ts';
import type { Queries } from '../db/db.ts';
import { type AttemptLimit, countAttempt } from './attempt-limit.ts';
import { hashSecret } from './token-secret.ts';

/**
 * Attempts within the window. One address may try one login a few times, all its logins more often (an office
 * shares one); the limit of a login over all addresses is wide, as strangers could otherwise lock its owner out.
 */
const LIMITS = { pair: 10, login: 100, address: 60 } as const;

/**
 * Mails that let somebody set a new password: few to one address, whoever asks. The owner who is kept from asking by
 * strangers has those mails.
 */
const RECOVERY_LIMITS = { login: 3, address: 20 } as const;

/** Who tries: the name of the login, and from where. */
export interface Attempting {
  name: string;
  address: string;
}

/**
 * Counts an attempt before its password is looked at, so that attempts at the same time count too.
 *
 * @returns seconds to wait, or null where the attempt may go on
 */
export async function countLoginAttempt(q: Queries, who: Attempting, now: UtcTime): Promise<number | null> {
  return await countAttempt(q, limitsOf(who), now);
}

/** Counts a wish for mail to set a new password. @returns as `countLoginAttempt` */
export async function countRecovery(q: Queries, who: Attempting, now: UtcTime): Promise<number | null> {
  const limits = [
    { key: `recover ${hashSecret(loginName(who.name))}`, limit: RECOVERY_LIMITS.login },
    { key: `recover-address ${who.address}`, limit: RECOVERY_LIMITS.address },
  ];
  return await countAttempt(q, limits, now);
}

/** The password was right: the login's count starts anew, and the address has its attempt back. */
export async function forgiveLoginAttempt(q: Queries, who: Attempting): Promise<void> {
  const [pair, login, address] = limitsOf(who);
  await q.delete(loginAttemptTable).where(inArray(loginAttemptTable.key, [pair.key, login.key]));
  await q
    .update(loginAttemptTable)
    .set({ attempts: sql`${loginAttemptTable.attempts} - 1` })
    .where(eq(loginAttemptTable.key, address.key));
}

function limitsOf({ name, address }: Attempting): [AttemptLimit, AttemptLimit, AttemptLimit] {
  // Hashed: people type passwords where the login's name belongs.
  const login = hashSecret(loginName(name));
  return [
    { key: `pair ${address} ${login}`, limit: LIMITS.pair },
    { key: `login ${login}`, limit: LIMITS.login },
    { key: `address ${address}`, limit: LIMITS.address },
  ];
}
