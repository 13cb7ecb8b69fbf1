import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { asc, eq, eqPlaceholder, getTableColumns, inArray, sql } from '../../platform/db/sql.ts';
import { feedHeadTable } from '../feed/feed-table.ts';
import { eventCursorTable } from './event-cursor-table.ts';
import type { PresenceRow, SiteWithLink } from './site-store.ts';
import { sitePresenceTable, siteTable } from './site-table.ts';

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

const presenceOf = prepared((q) =>
  q.select().from(sitePresenceTable).where(eqPlaceholder(sitePresenceTable.siteId, 'siteId')).prepare(),
);

export async function readPresence(q: Queries, siteId: string): Promise<PresenceRow | null> {
  return (await presenceOf(q).get({ siteId })) ?? null;
}

export async function siteName(q: Queries, siteId: string): Promise<string> {
  const [site] = await q.select({ name: siteTable.name }).from(siteTable).where(eq(siteTable.id, siteId));
  return site?.name ?? '';
}

/** The names of the sites, by their ids. */
export async function siteNames(q: Queries): Promise<Map<string, string>> {
  const sites = await listSites(q);
  return new Map(sites.map(({ site }) => [site.id, site.name]));
}

/** The ids of these sites that exist. */
export async function knownSiteIds(q: Queries, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const found = await q
    .select({ id: siteTable.id })
    .from(siteTable)
    .where(inArray(siteTable.id, [...ids]));
  return new Set(found.map(({ id }) => id));
}
