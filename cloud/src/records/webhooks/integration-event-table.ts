import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId, compactTime, compactWord } from '../../platform/db/compact-columns.ts';

/** Rows have the place in this list: a new type goes to its end. */
export const INTEGRATION_EVENT_TYPES = [
  'visit.opened',
  'visit.updated',
  'visit.ended',
  'visit.review',
  'invoice.issued',
  'invoice.refunded',
  'payment.settled',
  'payment.unknown',
  'payment.reversed',
  'payment.review',
  'photo.stored',
  'photo.review',
  'photo.reviewed',
  'quota.exhausted',
  'device.alarm',
  'device.recovered',
  'passage.decided',
  'gate.moved',
  'lane.alert',
  'site.connected',
  'site.lost',
  'call.opened',
  'call.accepted',
  'call.closed',
  'rollout.changed',
  'dispute.opened',
  'dispute.answered',
  'dispute.changed',
  'approval.requested',
  'approval.decided',
] as const;
export type IntegrationEventType = (typeof INTEGRATION_EVENT_TYPES)[number];

/**
 * The number of types that have a number. A new one gets it one release later: until then the release before
 * reads text.
 */
const NUMBERED = 24;

/** Events for integrators, in the order in which they were committed. */
export const integrationEventTable = sqliteTable('integration_event', {
  /** The cursor. */
  n: integer('n').primaryKey({ autoIncrement: true }),
  type: compactWord('type', INTEGRATION_EVENT_TYPES.slice(0, NUMBERED)).notNull(),
  subjectId: compactId('subject_id').notNull(),
  siteId: compactSiteId('site_id'),
  at: compactTime('at').notNull(),
});
