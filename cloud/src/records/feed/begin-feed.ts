import type { SiteItem } from '@hlid/protocol/site-link/site-change';
import type { Tx } from '../../platform/db/db.ts';
import { and, eq, sql } from '../../platform/db/sql.ts';
import { readHead } from './feed-head.ts';
import { writeHead } from './feed-store.ts';
import { ALL_SITES, feedChangeTable, feedItemTable, NEW_MARK } from './feed-table.ts';
import { publishChange } from './publish-change.ts';

/**
 * A new site's feed has a change for each common item up to this number; with more, the site fetches the
 * snapshot.
 */
const FIRST_CHANGES = 1000;

/** Begins the feed of a new site: the site itself, then everything that all sites hold. */
export async function beginFeed(tx: Tx, siteId: string, site: SiteItem): Promise<void> {
  const common = await readHead(tx.q, ALL_SITES);
  const [counted] = await tx.q
    .select({ items: sql<number>`count(*)` })
    .from(feedItemTable)
    .where(eq(feedItemTable.scope, ALL_SITES));
  const items = counted?.items ?? 0;
  // Number 1 is the site's own item; its hash is added when it is published, the others' are known as a sum.
  if (items <= FIRST_CHANGES) {
    await writeHead(tx.q, siteId, { n: 0, hash: common.hash, compactedTo: 0 });
    await publishChange(tx, siteId, { kind: 'site', op: 'put', id: 'site', item: site });
    await addCommonItems(tx, siteId);
    const head = await readHead(tx.q, siteId);
    await writeHead(tx.q, siteId, { ...head, n: head.n + items });
  } else {
    await writeHead(tx.q, siteId, { n: items, hash: common.hash, compactedTo: items });
    await publishChange(tx, siteId, { kind: 'site', op: 'put', id: 'site', item: site });
  }
}

/** Numbers 2 and on: a put of each item that all sites hold. */
async function addCommonItems(tx: Tx, siteId: string): Promise<void> {
  const { scope, kind, itemId, item } = feedItemTable;
  const n = sql<number>`1 + row_number() OVER (ORDER BY ${kind}, ${itemId})`;
  const change = sql<string>`json_object('kind', ${kind}, 'op', 'put', 'id', ${itemId}, 'item', json(${item}))`;
  await tx.q.insert(feedChangeTable).select((query) =>
    query
      .select({
        siteId: sql<string>`${sql.param(siteId, feedChangeTable.siteId)}`.as('site_id'),
        n: n.as('n'),
        mark: NEW_MARK.as('mark'),
        kind: sql<(typeof feedChangeTable.$inferSelect)['kind']>`${kind}`.as('kind'),
        itemId: sql<string>`${itemId}`.as('item_id'),
        change: change.as('change'),
      })
      .from(feedItemTable)
      .where(and(eq(scope, ALL_SITES))),
  );
}
