import { count, desc, eq } from 'drizzle-orm';
import type { Queries } from '../db/db.ts';
import { beyond, inDirection } from '../http/keyset.ts';
import { COUNTED_UP_TO, type Cursor } from '../http/list-envelope.ts';
import { billingRunTable as t } from './billing-run-table.ts';

export type BillingRunRow = typeof t.$inferSelect;

const ORDER = { at: t.startedAt, id: t.id };

export async function insertRun(q: Queries, row: BillingRunRow): Promise<void> {
  await q.insert(t).values(row);
}

export async function findRun(q: Queries, id: string): Promise<BillingRunRow | null> {
  return (await q.select().from(t).where(eq(t.id, id)).get()) ?? null;
}

export async function updateRun(q: Queries, id: string, change: Partial<BillingRunRow>): Promise<void> {
  await q.update(t).set(change).where(eq(t.id, id));
}

/** Runs in order, beyond a place. */
export async function listRuns(
  q: Queries,
  { cursor, limit }: { cursor: Cursor | undefined; limit: number },
): Promise<BillingRunRow[]> {
  const go = cursor?.go ?? 'older';
  return await q
    .select()
    .from(t)
    .where(cursor && beyond(ORDER, go, cursor))
    .orderBy(...inDirection(ORDER, go))
    .limit(limit);
}

/** How many there are, up to one more than are counted. */
export async function countRuns(q: Queries): Promise<number> {
  const some = q
    .select({ id: t.id })
    .from(t)
    .orderBy(desc(t.startedAt))
    .limit(COUNTED_UP_TO + 1)
    .as('some');
  const [row] = await q.select({ n: count() }).from(some);
  return row?.n ?? 0;
}
