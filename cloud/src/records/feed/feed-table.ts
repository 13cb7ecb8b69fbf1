import type { SiteChangeBody } from '@hlid/protocol/site-link/site-change';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactSiteId } from '../../platform/db/compact-columns.ts';
import { sql } from '../../platform/db/sql.ts';

/** The scope of items that all sites hold; no site has this id. */
export const ALL_SITES = '*';

/** Identifies a change besides its number: see `skipAhead`. */
export const NEW_MARK = sql<string>`lower(hex(randomblob(8)))`;

/** The head of each feed: a row for a site, and one for what all sites hold (its `n` stays 0). */
export const feedHeadTable = sqliteTable('feed_head', {
  scope: compactSiteId('scope').primaryKey(),
  /** Newest change. */
  n: integer('n').notNull(),
  /** The hash of the lists at that change. */
  hash: text('hash').notNull(),
  /** Changes up to this one are deleted, or never existed: a site that holds less fetches the snapshot. */
  compactedTo: integer('compacted_to').notNull().default(0),
  /** The mark of that change; empty: not known. */
  compactedMark: text('compacted_mark').notNull().default(''),
});

/** The changes of each site's feed. */
export const feedChangeTable = sqliteTable(
  'feed_change',
  {
    siteId: compactSiteId('site_id').notNull(),
    n: integer('n').notNull(),
    /** `NEW_MARK`. */
    mark: text('mark').notNull(),
    kind: text('kind').$type<SiteChangeBody['kind']>().notNull(),
    itemId: text('item_id').notNull(),
    /** The change as JSON. */
    change: text('change').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.siteId, table.n] }),
    // The index of changes with visits that may have lost their plates since.
    index('feed_change_visit').on(table.siteId, table.n).where(sql`kind IN ('visit', 'visit-edit')`),
    index('feed_change_erase').on(table.siteId, table.n).where(sql`kind = 'erase'`),
  ],
);

/**
 * The present lists. What all sites hold is stored once; a row of a site overrides it, and one without an item means that
 * the site does not hold it.
 */
export const feedItemTable = sqliteTable(
  'feed_item',
  {
    scope: compactSiteId('scope').notNull(),
    kind: text('kind').notNull(),
    itemId: text('item_id').notNull(),
    digest: text('digest'),
    /** The item as JSON. */
    item: text('item'),
  },
  (table) => [
    primaryKey({ columns: [table.scope, table.kind, table.itemId] }),
    index('feed_item_by_item').on(table.kind, table.itemId),
  ],
);
