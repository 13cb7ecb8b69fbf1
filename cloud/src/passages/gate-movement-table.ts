import type { GateOutcome } from '@hlid/protocol/site-event';
import { index, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Each time a gate was to move: by whom, why, and what became of it. */
export const gateMovementTable = sqliteTable(
  'gate_movement',
  {
    id: text('id').primaryKey(),
    siteId: text('site_id').notNull(),
    laneId: text('lane_id').notNull(),
    action: text('action').$type<'pulse' | 'hold' | 'release' | 'close'>().notNull(),
    outcome: text('outcome').$type<GateOutcome>().notNull(),
    /** `lane:<id>`, `account:<id>` or `technician`. */
    by: text('by').notNull(),
    why: text('why').notNull(),
    passageId: text('passage_id'),
    tookMs: real('took_ms').notNull(),
    at: text('at').notNull(),
  },
  (table) => [index('gate_movement_by_site').on(table.siteId, table.at)],
);
