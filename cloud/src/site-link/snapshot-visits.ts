import { asc, getTableColumns, sql } from 'drizzle-orm';
import type { Queries } from '../db/db.ts';
import type { VisitRow } from '../visits/list/visit-view.ts';
import { settlementTable } from '../visits/record/settlement-table.ts';
import { visitTable } from '../visits/record/visit-table.ts';

/** Visits that may still come to an exit, or be settled. */
export async function openVisits(q: Queries, siteId: string): Promise<VisitRow[]> {
  const t = visitTable;
  return await q
    .select()
    .from(t)
    .where(
      sql`${t.id} IN (
        SELECT ${t.id} FROM ${t} WHERE ${t.siteId} = ${siteId} AND ended_at IS NULL
        UNION SELECT ${t.id} FROM ${t} WHERE status <> 'completed' AND +${t.siteId} = ${siteId})`,
    )
    .orderBy(asc(t.startedAt), asc(t.id));
}

/**
 * Settlements of visits that may still come to an exit, or of which the site has not heard: from these few visits on.
 */
export async function openSettlements(q: Queries, siteId: string) {
  const { siteId: _, feedN: __, ...item } = getTableColumns(settlementTable);
  const t = visitTable;
  return await q
    .select(item)
    .from(settlementTable)
    .where(
      // Word for word as the small indexes of visits say it.
      sql`${settlementTable.visitId} IN (
        SELECT ${t.id} FROM ${t} WHERE ${t.siteId} = ${siteId} AND ended_at IS NULL
        UNION SELECT ${t.id} FROM ${t} WHERE status <> 'completed' AND +${t.siteId} = ${siteId}
        UNION SELECT ${t.id} FROM ${t} WHERE ${t.siteId} = ${siteId} AND feed_at < payment_edited_at)`,
    )
    .orderBy(asc(settlementTable.settledAt), asc(settlementTable.id));
}
