import { findInvoice } from '../../money/invoices/find-invoice.ts';
import { findDispute } from '../../paying/disputes/find-dispute.ts';
import type { Queries } from '../../platform/db/db.ts';
import {
  ALL_ROWS,
  hasPermission,
  type OperatorRights,
  type OwnRows,
  seesSite,
  sitesOf,
} from '../../platform/http/caller.ts';
import { EVENT_PERMISSIONS } from '../../records/integration-events/event-permissions.ts';
import type { EventRow } from '../../records/integration-events/read-events.ts';
import { customerOfQuota } from '../../records/quotas/quota-summary.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import { findPhoto } from '../../stays/photos/find-photos.ts';

/** Whether an operator may know of an event: it is at one of their sites, and about what they may read. */
export function isForOperator({ type, siteId }: EventRow, own: OwnRows, rights: OperatorRights): boolean {
  const isTheirs = siteId === null ? sitesOf(own) === null : seesSite(own, siteId);
  return isTheirs && hasPermission(rights, EVENT_PERMISSIONS[type]);
}

/** The customer that an event concerns and may see it; null: operators only. */
export async function holderOf(q: Queries, { type, subjectId }: EventRow): Promise<string | null> {
  switch (type) {
    case 'visit.opened':
    case 'visit.updated':
    case 'visit.ended':
    case 'visit.review':
      return await holderOfVisit(q, subjectId);
    case 'invoice.issued':
    case 'invoice.refunded':
    case 'payment.settled':
    case 'payment.unknown':
    case 'payment.reversed':
    case 'payment.review':
      return (await findInvoice(q, subjectId, ALL_ROWS))?.customerId ?? null;
    case 'photo.stored':
    case 'photo.review':
    case 'photo.reviewed': {
      const visitId = (await findPhoto(q, subjectId, ALL_ROWS))?.visitId ?? null;
      return visitId && (await holderOfVisit(q, visitId));
    }
    case 'quota.exhausted':
      return await customerOfQuota(q, subjectId);
    case 'dispute.opened':
    case 'dispute.answered':
    case 'dispute.changed':
      return (await findDispute(q, subjectId, ALL_ROWS))?.view.customer?.id ?? null;
    case 'device.alarm':
    case 'device.recovered':
    case 'passage.decided':
    case 'gate.moved':
    case 'lane.alert':
    case 'site.connected':
    case 'site.lost':
    case 'call.opened':
    case 'call.accepted':
    case 'call.closed':
    case 'rollout.changed':
    case 'approval.requested':
    case 'approval.decided':
      return null;
    default:
      return type satisfies never;
  }
}

async function holderOfVisit(q: Queries, id: string): Promise<string | null> {
  return (await findVisitRow(q, id, ALL_ROWS))?.customerId ?? null;
}
