import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactId, compactTime } from '../../db/compact-columns.ts';

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
] as const;
export type IntegrationEventType = (typeof INTEGRATION_EVENT_TYPES)[number];

/** Events for integrators, in the order in which they were committed. */
export const integrationEventTable = sqliteTable('integration_event', {
  /** The cursor. */
  n: integer('n').primaryKey({ autoIncrement: true }),
  type: text('type').$type<IntegrationEventType>().notNull(),
  subjectId: compactId('subject_id').notNull(),
  siteId: compactId('site_id'),
  at: compactTime('at').notNull(),
});
