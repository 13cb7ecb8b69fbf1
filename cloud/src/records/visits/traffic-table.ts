import { integer, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core';
import { compactSiteId } from '../../platform/db/compact-columns.ts';

/**
 * Totals of visits by quarter of an hour, updated with each visit: reports by the hour add these up and scan no visits.
 * All time zones are whole quarters from UTC, so the same totals serve every one of them. Voided visits are not counted.
 */
export const trafficTable = sqliteTable(
  'traffic',
  {
    siteId: compactSiteId('site_id').notNull(),
    /** The quarter since 1970, UTC. */
    quarter: integer('quarter').notNull(),
    arrivals: integer('arrivals').notNull(),
    departures: integer('departures').notNull(),
    /**
     * The sum of the milliseconds from the arrivals until the end of the quarter, less those from the
     * departures until then. With the cars inside at its beginning, they give the average of the quarter.
     */
    insideMs: integer('inside_ms').notNull(),
  },
  (table) => [primaryKey({ columns: [table.siteId, table.quarter] })],
);
