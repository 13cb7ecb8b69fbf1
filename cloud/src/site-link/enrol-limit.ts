import type { UtcTime } from '@hlid/protocol/utc-time';
import { eq, sql } from 'drizzle-orm';
import { loginAttemptTable } from '../auth/account-table.ts';
import { type AttemptLimit, countAttempt } from '../auth/attempt-limit.ts';
import type { Queries } from '../db/db.ts';

/**
 * Within the window: one address may mistype a few times. All together may try so often that a code of 40 bits, in its
 * hour, is guessed once in hundreds of millions of tries, and yet a stranger cannot easily keep technicians out.
 */
const LIMITS = { address: 10, everywhere: 600 } as const;

/** Counts an attempt before its code is looked at. @returns seconds to wait, or null where it may go on */
export async function countEnrolAttempt(q: Queries, address: string, now: UtcTime): Promise<number | null> {
  return await countAttempt(q, limitsOf(address), now);
}

/** The code was right: the attempt was no guess. */
export async function forgiveEnrolAttempt(q: Queries, address: string): Promise<void> {
  for (const { key } of limitsOf(address)) {
    await q
      .update(loginAttemptTable)
      .set({ attempts: sql`${loginAttemptTable.attempts} - 1` })
      .where(eq(loginAttemptTable.key, key));
  }
}

function limitsOf(address: string): AttemptLimit[] {
  return [
    { key: `enrol-address ${address}`, limit: LIMITS.address },
    { key: 'enrol', limit: LIMITS.everywhere },
  ];
}
