import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId } from '../../platform/db/compact-columns.ts';

/** The last car of an exit, where it was kept for a visit that may not be its own. */
export const doubtfulCarTable = sqliteTable(
  'doubtful_car',
  {
    siteId: compactSiteId('site_id').notNull(),
    laneId: text('lane_id').notNull(),
    passageId: text('passage_id').notNull(),
    visitId: compactId('visit_id').notNull(),
    /** The plate, as it was read. */
    plate: text('plate'),
    at: text('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.siteId, table.laneId] }),
    index('doubtful_car_by_visit').on(table.visitId),
  ],
);
