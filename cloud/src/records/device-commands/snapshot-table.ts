import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactSiteId } from '../../platform/db/compact-columns.ts';

/** Pictures that operators had cameras take, from the command until they are erased. They belong to no visit. */
export const snapshotTable = sqliteTable(
  'snapshot',
  {
    /** The id of the command. */
    id: text('id').primaryKey(),
    siteId: compactSiteId('site_id').notNull(),
    /** When it was asked for. */
    at: text('at').notNull(),
    /** The picture's key in the store of pictures; null until the site has uploaded it. */
    key: text('key'),
    bytes: integer('bytes'),
  },
  (table) => [index('snapshot_by_age').on(table.at)],
);
