import type { VisitEditItem } from '@hlid/protocol/site-link/site-change';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Queries } from '../../platform/db/db.ts';
import { and, eq, lte, sql } from '../../platform/db/sql.ts';
import { visitTable } from './visit-table.ts';

/** Notes the number in the feed under which a site receives an edit: its older events do not undo it. */
export async function noteEdited(q: Queries, edit: VisitEditItem, n: number): Promise<void> {
  await q
    .update(visitTable)
    .set({
      ...(edit.plate === undefined ? {} : { plateEditedAt: n }),
      ...(edit.status === undefined ? {} : { statusEditedAt: n }),
      ...(edit.startedAt === undefined ? {} : { startedEditedAt: n }),
      ...(edit.endedAt === undefined ? {} : { endedEditedAt: n }),
      // The price changes at the site with the start, the end or the status.
      ...([edit.startedAt, edit.endedAt, edit.status].every((field) => field === undefined)
        ? {}
        : { paymentEditedAt: n }),
      ...(edit.reviewed === undefined ? {} : { flagsEditedAt: n }),
      modifiedAt: edit.at,
    })
    .where(eq(visitTable.id, edit.visitId));
}

/** Visits with a settlement in a change that may be compacted: it comes with the snapshot. */
function settlementUnsent(siteId: string, upTo: number) {
  const t = visitTable;
  // The condition matches the index visit_settlement_unsent.
  return and(eq(t.siteId, siteId), sql`feed_at < payment_edited_at`, lte(t.paymentEditedAt, upTo));
}

/** Gives the fields that were edited by one number another number. */
export async function moveEdited(q: Queries, visitId: string, n: number, to: number): Promise<void> {
  const t = visitTable;
  const moved = (editedAt: SQLiteColumn) =>
    sql`CASE WHEN ${eq(editedAt, n)} THEN ${sql.param(to)} ELSE ${editedAt} END`;
  await q
    .update(t)
    .set({
      plateEditedAt: moved(t.plateEditedAt),
      startedEditedAt: moved(t.startedEditedAt),
      statusEditedAt: moved(t.statusEditedAt),
      endedEditedAt: moved(t.endedEditedAt),
      paymentEditedAt: moved(t.paymentEditedAt),
      flagsEditedAt: moved(t.flagsEditedAt),
    })
    .where(eq(t.id, visitId));
}

/** Gives settlements up to a number that a site does not know of another number. */
export async function moveSettled(q: Queries, siteId: string, upTo: number, to: number): Promise<void> {
  await q.update(visitTable).set({ paymentEditedAt: to }).where(settlementUnsent(siteId, upTo));
}

/** Whether there is a settlement up to a number that a site does not know of. */
export async function hasSettlementUnsent(q: Queries, siteId: string, upTo: number): Promise<boolean> {
  return (await q.$count(visitTable, settlementUnsent(siteId, upTo))) > 0;
}
