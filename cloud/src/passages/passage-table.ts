import type { Decision, DecisionReason } from '@hlid/protocol/decision';
import type { Direction } from '@hlid/protocol/lane';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** How far each site's event log is applied, by epoch. An epoch has its row from its first word on. */
export const eventCursorTable = sqliteTable(
  'event_cursor',
  {
    siteId: text('site_id').notNull(),
    epoch: text('epoch').notNull(),
    committed: integer('committed').notNull(),
    /** Of the event with that number, as the site sent it (`event-digest.ts`); null: not known. */
    digest: text('digest'),
    /** The site's first epoch is 1: only the latest one is right about the site. */
    ordinal: integer('ordinal').notNull().default(1),
    at: text('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.siteId, table.epoch] })],
);

/** Every decision about a passage: a car that paid and came back to the gate has two. */
export const passageDecisionTable = sqliteTable(
  'passage_decision',
  {
    /** `{epoch}-{seq}` of the event. */
    id: text('id').primaryKey(),
    passageId: text('passage_id').notNull(),
    siteId: text('site_id').notNull(),
    laneId: text('lane_id').notNull(),
    direction: text('direction').$type<Direction>().notNull(),
    plate: text('plate'),
    visitId: text('visit_id'),
    open: integer('open', { mode: 'boolean' }).notNull(),
    reason: text('reason').$type<DecisionReason>().notNull(),
    decision: text('decision', { mode: 'json' }).$type<Decision>().notNull(),
    feedAt: integer('feed_at').notNull(),
    at: text('at').notNull(),
  },
  (table) => [
    index('passage_decision_by_passage').on(table.passageId, table.at),
    index('passage_decision_by_visit').on(table.visitId),
    index('passage_decision_by_site').on(table.siteId, table.at),
  ],
);

/** What a lane wants a person to know. */
export const laneAlertTable = sqliteTable(
  'lane_alert',
  {
    /** `{epoch}-{seq}` of the event. */
    id: text('id').primaryKey(),
    siteId: text('site_id').notNull(),
    laneId: text('lane_id').notNull(),
    alert: text('alert')
      .$type<'tailgating' | 'blocklisted' | 'blocklist-lookalike' | 'wrong-way' | 'not-mine'>()
      .notNull(),
    plate: text('plate'),
    passageId: text('passage_id'),
    at: text('at').notNull(),
  },
  (table) => [
    index('lane_alert_by_site').on(table.siteId, table.at),
    index('lane_alert_by_plate').on(table.plate),
  ],
);

/** Events that could not be understood, as they came: nothing is lost, and the rest goes on. */
export const rejectedEventTable = sqliteTable(
  'rejected_event',
  {
    siteId: text('site_id').notNull(),
    epoch: text('epoch').notNull(),
    seq: integer('seq').notNull(),
    /** The event as JSON. */
    event: text('event').notNull(),
    error: text('error').notNull(),
    receivedAt: text('received_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.siteId, table.epoch, table.seq] })],
);
