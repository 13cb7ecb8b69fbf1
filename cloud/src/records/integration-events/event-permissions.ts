import type { Permission } from '../../platform/http/caller.ts';
import type { IntegrationEventType } from '../webhooks/integration-event-table.ts';

/**
 * The permission by which an operator reads the subject of an event, receives it, and may have it sent
 * elsewhere.
 */
export const EVENT_PERMISSIONS: Readonly<Record<IntegrationEventType, Permission>> = {
  'visit.opened': 'visits',
  'visit.updated': 'visits',
  'visit.ended': 'visits',
  'visit.review': 'visits',
  'photo.stored': 'visits',
  'photo.review': 'visits',
  'photo.reviewed': 'visits',
  'invoice.issued': 'money',
  'invoice.refunded': 'money',
  'payment.settled': 'money',
  'payment.unknown': 'money',
  'payment.reversed': 'money',
  'payment.review': 'money',
  'quota.exhausted': 'people',
  'device.alarm': 'devices',
  'device.recovered': 'devices',
  'passage.decided': 'lanes',
  'gate.moved': 'lanes',
  'lane.alert': 'lanes',
  'site.connected': 'lanes',
  'site.lost': 'lanes',
  'call.opened': 'lanes',
  'call.accepted': 'lanes',
  'call.closed': 'lanes',
  'rollout.changed': 'devices',
  'dispute.opened': 'visits',
  'dispute.answered': 'visits',
  'dispute.changed': 'visits',
  'approval.requested': 'money',
  'approval.decided': 'money',
};
