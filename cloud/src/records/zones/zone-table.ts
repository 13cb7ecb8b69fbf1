import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactSiteId } from '../../platform/db/compact-columns.ts';

/** An area of a site. */
export const zoneTable = sqliteTable(
  'zone',
  {
    id: text('id').primaryKey(),
    siteId: compactSiteId('site_id').notNull(),
    name: text('name').notNull(),
    settings: text('settings', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** Cars inside beside those with an open visit, as a person counted. */
    insideOffset: integer('inside_offset').notNull().default(0),
    createdAt: text('created_at').notNull(),
    modifiedAt: text('modified_at').notNull(),
  },
  (table) => [
    index('zone_by_creation').on(table.createdAt, table.id),
    index('zone_by_site').on(table.siteId, table.createdAt, table.id),
  ],
);

/** How people corrected the cars inside a zone. */
export const zoneCorrectionTable = sqliteTable(
  'zone_correction',
  {
    id: text('id').primaryKey(),
    zoneId: text('zone_id')
      .notNull()
      .references(() => zoneTable.id, { onDelete: 'cascade' }),
    /** The number of cars that a person counted. */
    inside: integer('inside').notNull(),
    /** The number of cars before. */
    insideBefore: integer('inside_before').notNull(),
    reason: text('reason').notNull(),
    /** `account:<id>` */
    by: text('by').notNull(),
    at: text('at').notNull(),
  },
  (table) => [index('zone_correction_by_zone').on(table.zoneId, table.at)],
);
