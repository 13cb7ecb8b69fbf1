import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { eq, inArray, lt, sql } from '../../platform/db/sql.ts';
import { loginAttemptTable as t } from '../../records/auth/token-table.ts';

const WINDOW_MS = 15 * MINUTE_MS;

/** How often something may be tried within a window that begins with the first attempt. */
export interface AttemptLimit {
  key: string;
  limit: number;
  /** 15 minutes where it is not given. */
  windowMs?: number;
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
  await q.delete(t).where(lt(t.endsAt, now));
  const keys = limits.map(({ key }) => key);
  const known = await q.select().from(t).where(inArray(t.key, keys));
  for (const { key, limit } of limits) {
    const row = known.find((attempt) => attempt.key === key);
    if (row && row.attempts >= limit) return secondsLeft(row.endsAt, now);
  }
  for (const limit of limits) await addAttempts(q, limit, 1, now);
  return null;
}

/** Counts attempts, whether the limit is used up or not. */
export async function addAttempts(
  q: Queries,
  { key, windowMs = WINDOW_MS }: Omit<AttemptLimit, 'limit'>,
  attempts: number,
  now: UtcTime,
): Promise<void> {
  await q
    .insert(t)
    .values({ key, attempts, endsAt: utcTime(millis(now) + windowMs) })
    .onConflictDoUpdate({ target: t.key, set: { attempts: sql`${t.attempts} + ${attempts}` } });
}

/** How many attempts were counted within the window. */
export async function attemptsOf(q: Queries, key: string, now: UtcTime): Promise<number> {
  const row = await q.select().from(t).where(eq(t.key, key)).get();
  return row === undefined || row.endsAt < now ? 0 : row.attempts;
}

/** Takes an attempt off these counts: it was no guess. */
export async function giveBackAttempts(q: Queries, keys: readonly string[]): Promise<void> {
  await q
    .update(t)
    .set({ attempts: sql`${t.attempts} - 1` })
    .where(inArray(t.key, [...keys]));
}

/** Restarts these counts. */
export async function forgetAttempts(q: Queries, keys: readonly string[]): Promise<void> {
  await q.delete(t).where(inArray(t.key, [...keys]));
}

function secondsLeft(endsAt: UtcTime, now: UtcTime): number {
  return Math.max(1, Math.ceil((millis(endsAt) - millis(now)) / 1000));
}
