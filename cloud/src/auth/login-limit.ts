import { MINUTE_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import { eq, inArray, lt, sql } from 'drizzle-orm';
import { loginName } from '../accounts/account-store.ts';
import { loginAttemptTable } from '../accounts/account-table.ts';
import type { Queries } from '../db/db.ts';
import { hashSecret } from './token-secret.ts';

const WINDOW_MS = 15 * MINUTE_MS;

/**
 * Attempts within the window. One address may try one login a few times, all its logins more often (an office
 * shares one); the limit of a login over all addresses is wide, as strangers could otherwise lock its owner out.
 */
const LIMITS = { pair: 10, login: 100, address: 60 } as const;

type Key = { key: string; limit: number };

/**
 * Counts an attempt before its password is looked at, so that attempts at the same time count too.
 *
 * @returns seconds to wait, or null where the attempt may go on
 */
export async function countLoginAttempt(
  q: Queries,
  who: { name: string; address: string },
  now: UtcTime,
): Promise<number | null> {
  await q.delete(loginAttemptTable).where(lt(loginAttemptTable.since, windowStart(now)));
  const keys = keysOf(who);
  const known = await q
    .select()
    .from(loginAttemptTable)
    .where(inArray(loginAttemptTable.key, keysIn(keys)));
  for (const { key, limit } of keys) {
    const row = known.find((attempt) => attempt.key === key);
    if (row && row.attempts >= limit) return secondsLeft(row.since, now);
  }
  for (const { key } of keys) {
    await q
      .insert(loginAttemptTable)
      .values({ key, attempts: 1, since: now })
      .onConflictDoUpdate({
        target: loginAttemptTable.key,
        set: { attempts: sql`${loginAttemptTable.attempts} + 1` },
      });
  }
  return null;
}

/** The password was right: the login's count starts anew, and the address has its attempt back. */
export async function forgiveLoginAttempt(q: Queries, who: { name: string; address: string }): Promise<void> {
  const [pair, login, address] = keysOf(who);
  await q.delete(loginAttemptTable).where(inArray(loginAttemptTable.key, [pair.key, login.key]));
  await q
    .update(loginAttemptTable)
    .set({ attempts: sql`${loginAttemptTable.attempts} - 1` })
    .where(eq(loginAttemptTable.key, address.key));
}

function keysOf({ name, address }: { name: string; address: string }): [Key, Key, Key] {
  // Hashed: people type passwords where the login's name belongs.
  const login = hashSecret(loginName(name));
  return [
    { key: `pair ${address} ${login}`, limit: LIMITS.pair },
    { key: `login ${login}`, limit: LIMITS.login },
    { key: `address ${address}`, limit: LIMITS.address },
  ];
}

function keysIn(keys: readonly Key[]): string[] {
  return keys.map(({ key }) => key);
}

function windowStart(now: UtcTime): UtcTime {
  return utcTime(millis(now) - WINDOW_MS);
}

function secondsLeft(since: UtcTime, now: UtcTime): number {
  return Math.max(1, Math.ceil((millis(since) + WINDOW_MS - millis(now)) / 1000));
}
