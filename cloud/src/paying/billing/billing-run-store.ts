import type { Queries } from '../../platform/db/db.ts';
import { eq } from '../../platform/db/sql.ts';
import { countRows, listRows, type PageOfRows } from '../../platform/http/list-rows.ts';
import { billingRunTable as t } from '../../records/billing/billing-run-table.ts';

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
export async function listRuns(q: Queries, page: PageOfRows): Promise<BillingRunRow[]> {
  return await listRows(q, t, ORDER, undefined, page);
}

/** How many there are, up to one more than are counted. */
export async function countRuns(q: Queries): Promise<number> {
  return await countRows(q, t, undefined);
}
