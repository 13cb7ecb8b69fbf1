import { MINUTE_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import { eq } from 'drizzle-orm';
import type { Db, Queries } from '../db/db.ts';
import { registryStateTable as t } from './record/vehicle-table.ts';

/** So many failures in a row and the register is left in peace … */
const FAILURES = 5;
/** … first for so long, then twice as long each time … */
const FIRST_REST_MS = 30_000;
/** … but never longer than that. */
const LONGEST_REST_MS = 10 * MINUTE_MS;

/**
 * Whether the register may be asked now. While it rests, nobody asks; when the rest is over one process does, and the
 * others go on waiting for what becomes of it.
 */
export async function mayAsk(db: Db, source: string, now: UtcTime): Promise<boolean> {
  const state = await db.read((q) => readState(q, source));
  if (state === null || state.restsUntil === null) return true;
  if (state.restsUntil > now) return false;
  return await db.write(async ({ q }) => {
    const again = await readState(q, source);
    if (again === null || again.restsUntil === null) return true;
    if (again.restsUntil > now) return false;
    const restsUntil = restAfter(again.failures, now);
    await q.update(t).set({ restsUntil }).where(eq(t.source, source));
    return true;
  });
}

/** It answered: whatever was, is forgotten. */
export async function noteAnswer(db: Db, source: string): Promise<void> {
  if ((await db.read((q) => readState(q, source))) === null) return;
  await db.write(async ({ q }) => {
    await q.delete(t).where(eq(t.source, source));
  });
}

/** It did not. */
export async function noteFailure(db: Db, source: string, now: UtcTime): Promise<void> {
  await db.write(async ({ q }) => {
    const failures = ((await readState(q, source))?.failures ?? 0) + 1;
    const restsUntil = failures < FAILURES ? null : restAfter(failures, now);
    await q
      .insert(t)
      .values({ source, failures, restsUntil })
      .onConflictDoUpdate({ target: t.source, set: { failures, restsUntil } });
  });
}

function restAfter(failures: number, now: UtcTime): UtcTime {
  // Beyond that many the longest is reached; 2 to a power of thousands is not a number any more.
  const doublings = Math.min(failures - FAILURES, 10);
  return utcTime(millis(now) + Math.min(FIRST_REST_MS * 2 ** doublings, LONGEST_REST_MS));
}

async function readState(q: Queries, source: string) {
  return (await q.select().from(t).where(eq(t.source, source)).get()) ?? null;
}
