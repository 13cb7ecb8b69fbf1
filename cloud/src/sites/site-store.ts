import { asc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { Queries } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import { fromNewRow, preparedInsert } from '../db/prepared-insert.ts';
import { feedHeadTable } from '../feed/feed-table.ts';
import { eventCursorTable } from '../passages/passage-table.ts';
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

function selectSites(q: Queries) {
  return q
    .select({
      site: getTableColumns(siteTable),
      presence: getTableColumns(sitePresenceTable),
      headAt: sql<number>`coalesce(${feedHeadTable.n}, 0)`,
      committed: sql<number>`coalesce(${eventCursorTable.committed}, 0)`,
    })
    .from(siteTable)
    .leftJoin(sitePresenceTable, eq(sitePresenceTable.siteId, siteTable.id))
    .leftJoin(feedHeadTable, eq(feedHeadTable.scope, siteTable.id))
    .leftJoin(
      eventCursorTable,
      sql`${eventCursorTable.siteId} = ${siteTable.id} AND ${eventCursorTable.epoch} = ${sitePresenceTable.epoch}`,
    );
}

export async function listSites(q: Queries): Promise<SiteWithLink[]> {
  return await selectSites(q).orderBy(asc(siteTable.name), asc(siteTable.id));
}

export async function findSite(q: Queries, id: string): Promise<SiteWithLink | null> {
  const [found] = await selectSites(q).where(eq(siteTable.id, id));
  return found ?? null;
}

export const addSite = preparedInsert(siteTable);

export async function updateSite(q: Queries, { id, ...fields }: SiteRow): Promise<void> {
  await q.update(siteTable).set(fields).where(eq(siteTable.id, id));
}

const presenceOf = prepared((q) =>
  q
    .select()
    .from(sitePresenceTable)
    .where(eq(sitePresenceTable.siteId, sql.placeholder('siteId')))
    .prepare(),
);

export async function readPresence(q: Queries, siteId: string): Promise<PresenceRow | null> {
  return (await presenceOf(q).get({ siteId })) ?? null;
}

export const writePresence = preparedInsert(sitePresenceTable, {
  target: sitePresenceTable.siteId,
  set: fromNewRow(sitePresenceTable, 'connected', 'since', 'epoch', 'seq', 'feedAt', 'feedHash', 'software'),
});

/** Nobody is connected to a process that has just started. */
export async function disconnectAll(q: Queries, at: string): Promise<void> {
  await q
    .update(sitePresenceTable)
    .set({ connected: false, since: at })
    .where(eq(sitePresenceTable.connected, true));
}
