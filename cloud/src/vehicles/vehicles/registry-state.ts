import { backoffMs } from '@hlid/protocol/base/backoff';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Db, Queries } from '../../platform/db/db.ts';
import { eq } from '../../platform/db/sql.ts';
import { registryStateTable as t } from '../../records/vehicles/vehicle-table.ts';

/**
 * After this number of failures in a row the register is not asked for a while, longer with each further
 * failure.
 */
const FAILURES = 5;
const REST = { firstMs: 30_000, maxMs: 10 * MINUTE_MS };

/**
 * Whether the register may be asked now. While it rests, no process asks; when the rest is over one process
 * does, and the others wait for its outcome.
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
  return utcTime(millis(now) + backoffMs(failures - FAILURES + 1, REST));
}

async function readState(q: Queries, source: string) {
  return (await q.select().from(t).where(eq(t.source, source)).get()) ?? null;
}
