import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { findInvoice } from '../../money/invoices/find-invoice.ts';
import { shownInvoices } from '../../money/invoices/invoice.ts';
import { approvalOfEvent } from '../../paying/approvals/find-approvals.ts';
import { findDispute } from '../../paying/disputes/find-dispute.ts';
import type { Queries } from '../../platform/db/db.ts';
import { ALL_ROWS } from '../../platform/http/caller.ts';
import type { EventRow } from '../../records/integration-events/read-events.ts';
import { findAlert, findDecision, findMovement } from '../../records/passages/find-passage.ts';
import { findCall } from '../../sites/calls/calls.ts';
import { findDeviceOfSubject } from '../../sites/devices/site-devices.ts';
import { rolloutOfEvent } from '../../sites/rollouts/find-rollouts.ts';
import { findPricedVisit } from '../../stays/visits/list/shown-price.ts';
import type { IntegrationEvent } from './webhook.ts';

/** An event as integrators see it. */
export function eventFrom(event: EventRow): IntegrationEvent {
  const { n, type, at, siteId, subjectId: id } = event;
  return { n, type, on: at, siteId, subject: { id, path: pathOf(event) } };
}

/** The subject of an event as the API shows it when the event is sent; null: it is gone. */
export async function eventData(
  q: Queries,
  { type, subjectId, siteId }: EventRow,
  now: UtcTime,
): Promise<unknown> {
  switch (type) {
    case 'visit.opened':
    case 'visit.updated':
    case 'visit.ended':
    case 'visit.review':
      return (await findPricedVisit(q, subjectId, ALL_ROWS, now))?.visit ?? null;
    case 'invoice.issued':
    case 'invoice.refunded':
    // The subject of a payment is its invoice: that which it pays, or which it has made.
    case 'payment.settled':
    case 'payment.unknown':
    case 'payment.reversed':
    case 'payment.review': {
      const invoice = await findInvoice(q, subjectId, ALL_ROWS);
      return invoice && ((await shownInvoices(q, [invoice]))[0] ?? null);
    }
    case 'photo.stored':
    case 'photo.review':
    case 'photo.reviewed':
    case 'quota.exhausted':
      // A picture is fetched by its address, with the reader's own rights.
      return null;
    case 'device.alarm':
    case 'device.recovered':
      return siteId === null ? null : await findDeviceOfSubject(q, siteId, subjectId);
    case 'passage.decided':
      return await findDecision(q, subjectId);
    case 'gate.moved':
      return await findMovement(q, subjectId);
    case 'lane.alert':
      return await findAlert(q, subjectId);
    case 'site.connected':
    case 'site.lost':
      // When is in the event itself.
      return null;
    case 'call.opened':
    case 'call.accepted':
    case 'call.closed':
      return await findCall(q, subjectId);
    case 'rollout.changed':
      return await rolloutOfEvent(q, subjectId);
    case 'dispute.opened':
    case 'dispute.answered':
    case 'dispute.changed':
      return (await findDispute(q, subjectId, ALL_ROWS))?.view ?? null;
    case 'approval.requested':
    case 'approval.decided':
      return await approvalOfEvent(q, subjectId);
    default:
      return type satisfies never;
  }
}

function pathOf({ type, subjectId: id, siteId }: EventRow): string {
  switch (type) {
    case 'visit.opened':
    case 'visit.updated':
    case 'visit.ended':
    case 'visit.review':
      return `/visit/${id}`;
    case 'invoice.issued':
    case 'invoice.refunded':
    case 'payment.settled':
    case 'payment.unknown':
    case 'payment.reversed':
    case 'payment.review':
      return `/invoice/${id}`;
    case 'photo.stored':
    case 'photo.review':
    case 'photo.reviewed':
      return `/photo/${id}`;
    case 'quota.exhausted':
      return `/quotas/${id}`;
    case 'device.alarm':
    case 'device.recovered':
      return `/sites/${siteId}/devices`;
    case 'passage.decided':
    case 'gate.moved':
    case 'lane.alert':
      return `/sites/${siteId}/lanes`;
    case 'site.connected':
    case 'site.lost':
      return `/sites/${siteId}`;
    case 'call.opened':
    case 'call.accepted':
    case 'call.closed':
      return `/call/${id}`;
    case 'rollout.changed':
      return `/rollouts/${id}`;
    case 'dispute.opened':
    case 'dispute.answered':
    case 'dispute.changed':
      return `/dispute/${id}`;
    case 'approval.requested':
    case 'approval.decided':
      return `/approval/${id}`;
    default:
      return type satisfies never;
  }
}
