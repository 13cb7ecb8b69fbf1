import type { Queries } from '../../platform/db/db.ts';
import { and, eq, gt } from '../../platform/db/sql.ts';
import { settlementTable } from './visit-table.ts';

export async function insertSettlement(
  q: Queries,
  settlement: typeof settlementTable.$inferSelect,
): Promise<void> {
  await q.insert(settlementTable).values(settlement);
}

/** A settlement goes to its site under another number. */
export async function moveSettlement(q: Queries, id: string, feedN: number): Promise<void> {
  await q.update(settlementTable).set({ feedN }).where(eq(settlementTable.id, id));
}

/** The ids of the settlements of a visit that were made here and were unknown to its site at that number. */
export async function settledAfter(q: Queries, visitId: string, feedAt: number): Promise<string[]> {
  const found = await q
    .select({ id: settlementTable.id })
    .from(settlementTable)
    .where(
      and(
        eq(settlementTable.visitId, visitId),
        gt(settlementTable.feedN, feedAt),
        gt(settlementTable.amountMinor, 0),
      ),
    );
  return found.map(({ id }) => id);
}

/** The ids of the settlements of a visit that were made in the cloud. */
export async function settlementIds(q: Queries, visitId: string): Promise<Set<string>> {
  const rows = await q
    .select({ id: settlementTable.id })
    .from(settlementTable)
    .where(eq(settlementTable.visitId, visitId));
  return new Set(rows.map(({ id }) => id));
}
