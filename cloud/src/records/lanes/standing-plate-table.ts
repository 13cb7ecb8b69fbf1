import type { StandingPlate } from '@hlid/protocol/rules/standing-plate';
import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactSiteId } from '../../platform/db/compact-columns.ts';

/** The plates that stand still in view of the cameras of sites without an edge daemon. */
export const standingPlateTable = sqliteTable(
  'standing_plate',
  {
    siteId: compactSiteId('site_id').notNull(),
    laneId: text('lane_id').notNull(),
    plate: text('plate').notNull(),
    /** When it was read last. */
    seenAt: text('seen_at').notNull(),
    standing: text('standing', { mode: 'json' }).$type<StandingPlate>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.siteId, table.laneId, table.plate] }),
    index('standing_plate_by_age').on(table.seenAt),
  ],
);
