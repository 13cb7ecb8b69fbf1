import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** An area of a site. */
export const zoneTable = sqliteTable(
  'zone',
  {
    id: text('id').primaryKey(),
    siteId: text('site_id').notNull(),
    name: text('name').notNull(),
    settings: text('settings', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    createdAt: text('created_at').notNull(),
    modifiedAt: text('modified_at').notNull(),
  },
  (table) => [
    index('zone_by_creation').on(table.createdAt, table.id),
    index('zone_by_site').on(table.siteId, table.createdAt, table.id),
  ],
);
