import type { Queries } from '../../platform/db/db.ts';
import { fromNewRow, preparedInsert } from '../../platform/db/prepared-insert.ts';
import { eq } from '../../platform/db/sql.ts';
import { siteOpeningTable } from './site-opening-table.ts';
import { sitePresenceTable, siteTable } from './site-table.ts';

export type SiteRow = typeof siteTable.$inferSelect;
export type PresenceRow = typeof sitePresenceTable.$inferSelect;

/** A site with what is known of its link. */
export interface SiteWithLink {
  site: SiteRow;
  presence: PresenceRow | null;
  /** Newest change of its feed. */
  headAt: number;
  /** Newest event that is applied, of the epoch that it is in. */
  committed: number;
}

export const addSite = preparedInsert(siteTable);

export async function updateSite(q: Queries, { id, ...fields }: SiteRow): Promise<void> {
  await q.update(siteTable).set(fields).where(eq(siteTable.id, id));
}

export async function removeSite(q: Queries, id: string): Promise<void> {
  await q.delete(siteOpeningTable).where(eq(siteOpeningTable.siteId, id));
  await q.delete(siteTable).where(eq(siteTable.id, id));
}

export const writePresence = preparedInsert(sitePresenceTable, {
  target: sitePresenceTable.siteId,
  set: fromNewRow(
    sitePresenceTable,
    'connected',
    'since',
    'epoch',
    'seq',
    'feedAt',
    'feedHash',
    'software',
    'clockAheadMs',
  ),
});

/** Marks all sites as not connected: a process that has just started has no connections. */
export async function disconnectAll(q: Queries, at: string): Promise<void> {
  await q
    .update(sitePresenceTable)
    .set({ connected: false, since: at })
    .where(eq(sitePresenceTable.connected, true));
}
