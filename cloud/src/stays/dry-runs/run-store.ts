import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { and, asc, count, desc, eq, gt, inArray, lt } from '../../platform/db/sql.ts';
import { WorkQueue } from '../../platform/jobs/work-queue.ts';
import {
  type RunRow,
  type RunVisitRow,
  runTable as t,
  runVisitTable as v,
} from '../../records/dry-runs/run-table.ts';
import { type DryRunVisit, MAX_KEPT } from './scan-dry-run.ts';

export const runQueue = new WorkQueue('run');

/** The fields of a run that change as it goes on. */
type RunChange = Partial<
  Pick<RunRow, 'state' | 'doneUntil' | 'done' | 'total' | 'sums' | 'endedAt' | 'error'>
>;

export async function insertRun(q: Queries, row: RunRow): Promise<void> {
  await q.insert(t).values(row);
}

export async function findRun(q: Queries, id: string): Promise<RunRow | null> {
  return (await q.select().from(t).where(eq(t.id, id)).get()) ?? null;
}

/** The runs of an account, the newest first. */
export async function runsOfAccount(q: Queries, accountId: string): Promise<RunRow[]> {
  return await q.select().from(t).where(eq(t.accountId, accountId)).orderBy(desc(t.createdAt), desc(t.id));
}

export async function updateRun(q: Queries, id: string, change: RunChange): Promise<void> {
  await q.update(t).set(change).where(eq(t.id, id));
}

/** Stores differences, and keeps the largest of the run. */
export async function keepLargest(q: Queries, runId: string, visits: readonly DryRunVisit[]): Promise<void> {
  for (const visit of visits) {
    await q
      .insert(v)
      .values({ runId, ...visit })
      .onConflictDoNothing();
  }
  await dropBeyond(q, runId, 'more');
  await dropBeyond(q, runId, 'less');
}

export type Direction = 'more' | 'less';

/** The visits of a run that would pay more, or less, by the size of the difference. */
export async function runVisits(
  q: Queries,
  runId: string,
  direction: Direction,
  { offset, limit }: { offset: number; limit: number },
): Promise<RunVisitRow[]> {
  const order = direction === 'more' ? desc(v.differenceMinor) : asc(v.differenceMinor);
  return await q
    .select()
    .from(v)
    .where(ofDirection(runId, direction))
    .orderBy(order, direction === 'more' ? desc(v.visitId) : asc(v.visitId))
    .limit(limit)
    .offset(offset);
}

export async function countRunVisits(q: Queries, runId: string, direction: Direction): Promise<number> {
  const found = await q.select({ visits: count() }).from(v).where(ofDirection(runId, direction)).get();
  return found?.visits ?? 0;
}

/** Deletes runs that are older, some at a time. @returns whether there may be more */
export async function deleteRunsBefore(q: Queries, before: UtcTime, limit: number): Promise<boolean> {
  const old = await q.select({ id: t.id }).from(t).where(lt(t.createdAt, before)).limit(limit);
  const ids = old.map(({ id }) => id);
  if (ids.length === 0) return false;
  await q.delete(v).where(inArray(v.runId, ids));
  await q.delete(t).where(inArray(t.id, ids));
  return ids.length === limit;
}

async function dropBeyond(q: Queries, runId: string, direction: Direction): Promise<void> {
  const surplus = await runVisits(q, runId, direction, { offset: MAX_KEPT, limit: 2 * MAX_KEPT });
  const ids = surplus.map(({ visitId }) => visitId);
  if (ids.length > 0) await q.delete(v).where(and(eq(v.runId, runId), inArray(v.visitId, ids)));
}

function ofDirection(runId: string, direction: Direction) {
  const side = direction === 'more' ? gt(v.differenceMinor, 0) : lt(v.differenceMinor, 0);
  return and(eq(v.runId, runId), side);
}
