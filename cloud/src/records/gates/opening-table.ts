import type { GateReason } from '@hlid/protocol/records/gate-reason';
import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId } from '../../platform/db/compact-columns.ts';
import type { ActingCaller } from '../../platform/http/caller.ts';
import type { OpeningSettlement } from './opening-settlement.ts';

/**
 * Openings that settle a visit, from before the command is sent until it is known whether the gate may have
 * moved. Rows that a cloud leaves behind are settled: there is no proof that the car did not leave.
 */
export const openingTable = sqliteTable('opening', {
  /** The id of the command, and of the movement in the site's events. */
  id: text('id').primaryKey(),
  siteId: compactSiteId('site_id').notNull(),
  laneId: text('lane_id').notNull(),
  visitId: compactId('visit_id').notNull(),
  settlement: text('settlement').$type<OpeningSettlement>().notNull(),
  reasonCode: text('reason_code').$type<GateReason>().notNull(),
  note: text('note').notNull(),
  /** The person who opened the gate. */
  caller: text('caller', { mode: 'json' }).$type<ActingCaller>().notNull(),
  requestId: text('request_id').notNull(),
  at: text('at').notNull(),
});
export type OpeningRow = typeof openingTable.$inferSelect;
