import type { Decision, DecisionReason } from '@hlid/protocol/records/decision';
import type { GateReason } from '@hlid/protocol/records/gate-reason';
import type { Direction } from '@hlid/protocol/records/lane';
import type { GateOutcome, LaneAlert } from '@hlid/protocol/site-link/site-event';
import { index, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId, compactTime, compactWord } from '../../platform/db/compact-columns.ts';
import { shortJson } from '../../platform/db/short-json.ts';
import { sql } from '../../platform/db/sql.ts';

/** Numbered in this order: new ones go to the end. */
const DIRECTIONS: readonly Direction[] = ['entry', 'exit'];
const REASONS: readonly DecisionReason[] = [
  ...(['need-plate', 'blocklisted', 'permit', 'permits-only', 'full', 'welcome', 'no-visit'] as const),
  ...(['ambiguous-visit', 'whitelisted', 'quota', 'nothing-due', 'paid', 'company-invoice'] as const),
  ...(['owner-invoice', 'need-payment', 'stay-uncertain', 'visit-ended', 'late-exit'] as const),
  ...(['left-unpaid', 'not-mine', 'closed-by-operator', 'unread-vehicle'] as const),
];
const ACTIONS = ['pulse', 'hold', 'release', 'close'] as const;
const OUTCOMES: readonly GateOutcome[] = ['done', 'refused', 'unreachable', 'unknown'];

/** Every decision about a passage: a car that paid and came back to the gate has two. */
export const passageDecisionTable = sqliteTable(
  'passage_decision',
  {
    /** `{epoch}-{seq}` of the event. */
    id: compactId('id').primaryKey(),
    passageId: compactId('passage_id').notNull(),
    siteId: compactSiteId('site_id').notNull(),
    laneId: text('lane_id').notNull(),
    direction: compactWord('direction', DIRECTIONS).notNull(),
    plate: text('plate'),
    plateFolded: text('plate_folded'),
    visitId: compactId('visit_id'),
    open: integer('open', { mode: 'boolean' }).notNull(),
    reason: compactWord('reason', REASONS).notNull(),
    decision: shortJson<Decision>('decision').notNull(),
    feedAt: integer('feed_at').notNull(),
    at: compactTime('at').notNull(),
  },
  (table) => [
    index('passage_decision_by_passage').on(table.passageId, table.at),
    index('passage_decision_by_visit').on(table.visitId),
    index('passage_decision_by_site').on(table.siteId, table.at),
    index('passage_decision_by_time').on(table.at),
    index('passage_decision_by_lane').on(table.laneId, table.at),
    index('passage_decision_by_plate').on(table.plateFolded, table.at),
  ],
);

/** Alerts of a lane for operators. */
export const laneAlertTable = sqliteTable(
  'lane_alert',
  {
    /** `{epoch}-{seq}` of the event, with the alert where it is the event of a decision. */
    id: text('id').primaryKey(),
    siteId: compactSiteId('site_id').notNull(),
    laneId: text('lane_id').notNull(),
    alert: text('alert').$type<LaneAlert>().notNull(),
    plate: text('plate'),
    passageId: compactId('passage_id'),
    at: compactTime('at').notNull(),
  },
  (table) => [
    index('lane_alert_by_site').on(table.siteId, table.at),
    index('lane_alert_by_plate').on(table.plate),
    index('lane_alert_by_passage').on(table.passageId).where(sql`passage_id IS NOT NULL`),
  ],
);

/** Each command to a gate: by whom, the reason, and the result. */
export const gateMovementTable = sqliteTable(
  'gate_movement',
  {
    id: compactId('id').primaryKey(),
    siteId: compactSiteId('site_id').notNull(),
    laneId: text('lane_id').notNull(),
    action: compactWord('action', ACTIONS).notNull(),
    outcome: compactWord('outcome', OUTCOMES).notNull(),
    /** `lane:<id>`, `account:<id>` or `technician`. */
    by: text('by').notNull(),
    reason: text('reason').notNull(),
    /** A person's; null: the lane moved it, or a technician. */
    reasonCode: text('reason_code').$type<GateReason>(),
    /** When a hold or a closing lapses by itself; null: it does not. */
    lapsesAt: text('lapses_at'),
    passageId: compactId('passage_id'),
    tookMs: real('took_ms').notNull(),
    at: compactTime('at').notNull(),
  },
  (table) => [
    index('gate_movement_by_site').on(table.siteId, table.at),
    index('gate_movement_by_passage').on(table.passageId).where(sql`passage_id IS NOT NULL`),
  ],
);
