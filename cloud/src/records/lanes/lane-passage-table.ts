import type { Decision } from '@hlid/protocol/records/decision';
import type { PlateVote } from '@hlid/protocol/records/passage';
import { index, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId } from '../../platform/db/compact-columns.ts';

/** Vehicles that pass the lanes of sites without an edge daemon, as long as later reads may belong to them. */
export const lanePassageTable = sqliteTable(
  'lane_passage',
  {
    id: text('id').primaryKey(),
    siteId: compactSiteId('site_id').notNull(),
    laneId: text('lane_id').notNull(),
    plate: text('plate'),
    score: real('score').notNull(),
    /** Every plate that was read of it. */
    votes: text('votes', { mode: 'json' }).$type<readonly PlateVote[]>().notNull(),
    firstSeenAt: text('first_seen_at').notNull(),
    lastSeenAt: text('last_seen_at').notNull(),
    /** Event keys of its reads and their related keys. */
    keys: text('keys', { mode: 'json' }).$type<string[]>().notNull(),
    decision: text('decision', { mode: 'json' }).$type<Decision>().notNull(),
    visitId: compactId('visit_id'),
    /** The read that decided. */
    readId: text('read_id').notNull(),
    /** The vehicle had left when its read arrived. */
    passed: integer('passed', { mode: 'boolean' }).notNull(),
  },
  (table) => [
    index('lane_passage_by_lane').on(table.siteId, table.laneId, table.lastSeenAt),
    index('lane_passage_by_plate').on(table.siteId, table.plate, table.lastSeenAt),
    index('lane_passage_by_age').on(table.lastSeenAt),
  ],
);
