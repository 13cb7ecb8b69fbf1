import { MINUTE_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import { inArray, lt, sql } from 'drizzle-orm';
import type { Queries } from '../db/db.ts';
import { loginAttemptTable as t } from './account-table.ts';

const WINDOW_MS = 15 * MINUTE_MS;

/** How often something may be tried within the window of 15 minutes. */
export interface AttemptLimit {
  key: string;
  limit: number;
}

/**
 * Counts an attempt against each of these limits, unless one of them is used up.
 *
 * @returns seconds to wait, or null where the attempt may go on
 */
export async function countAttempt(
  q: Queries,
  limits: readonly AttemptLimit[],
  now: UtcTime,
): Promise<number | null> {
  await q.delete(t).where(lt(t.since, utcTime(millis(now) - WINDOW_MS)));
  const keys = limits.map(({ key }) => key);
  const known = await q.select().from(t).where(inArray(t.key, keys));
  for (const { key, limit } of limits) {
    const row = known.find((attempt) => attempt.key === key);
    if (row && row.attempts >= limit) return secondsLeft(row.since, now);
  }
  for (const key of keys) {
    await q
      .insert(t)
      .values({ key, attempts: 1, since: now })
      .onConflictDoUpdate({ target: t.key, set: { attempts: sql`${t.attempts} + 1` } });
  }
  return null;
}

function secondsLeft(since: UtcTime, now: UtcTime): number {
  return Math.max(1, Math.ceil((millis(since) + WINDOW_MS - millis(now)) / 1000));
}
