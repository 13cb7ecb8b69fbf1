import type { Queries } from '../../platform/db/db.ts';
import { and, eq, isNotNull, ne } from '../../platform/db/sql.ts';
import { feedChangeTable, feedHeadTable, feedItemTable } from './feed-table.ts';

/**
 * Whether anything but the site itself is in its feed: a camera, a zone, a permit, or a product for this
 * site.
 */
export async function hasItemsOfSite(q: Queries, siteId: string): Promise<boolean> {
  const [item] = await q
    .select({ id: feedItemTable.itemId })
    .from(feedItemTable)
    .where(
      and(eq(feedItemTable.scope, siteId), ne(feedItemTable.kind, 'site'), isNotNull(feedItemTable.item)),
    )
    .limit(1);
  return item !== undefined;
}

/** Removes the feed of a site that is deleted. */
export async function endFeed(q: Queries, siteId: string): Promise<void> {
  await q.delete(feedChangeTable).where(eq(feedChangeTable.siteId, siteId));
  await q.delete(feedItemTable).where(eq(feedItemTable.scope, siteId));
  await q.delete(feedHeadTable).where(eq(feedHeadTable.scope, siteId));
}
