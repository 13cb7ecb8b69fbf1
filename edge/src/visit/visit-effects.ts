import type { SettlementItem, VisitEditItem } from '@hlid/protocol/site-change';
import { MINUTE_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { ReviewFlag, Visit } from '@hlid/protocol/visit';
import { givenBack, statusAfter } from '@hlid/protocol/visit-course';
import { moveBetween } from '@hlid/protocol/visit-state';

/** The visit once its due, or a part of it, was met elsewhere. */
export function settledVisit(
  visit: Visit,
  settlement: SettlementItem,
  { at, exitGraceMinutes }: { at: UtcTime; exitGraceMinutes: number },
): Visit {
  const voided = settlement.paymentStatus === 'void';
  const move = voided ? 'voided' : visit.endedAt === null ? 'paid' : 'left-settled';
  return {
    ...visit,
    paymentStatus: settlement.paymentStatus,
    unitsMet: visit.unitsMet + settlement.units,
    paidMinor: visit.paidMinor + paidInMoney(settlement),
    paidUntil: utcTime(millis(at) + exitGraceMinutes * MINUTE_MS),
    status: statusAfter(visit, move),
    endedAt: voided ? (visit.endedAt ?? at) : visit.endedAt,
    price: visit.price && { ...visit.price, amountMinor: dueAfter(visit.price.amountMinor, settlement) },
    quota: isWaiver(settlement) ? givenBack(visit.quota) : visit.quota,
  };
}

/** The visit as a person has corrected it; what it draws on by another plate, and its price, are for the caller. */
export function editedVisit(visit: Visit, edit: VisitEditItem): Visit {
  const endedAt = edit.endedAt === undefined ? visit.endedAt : edit.endedAt;
  const move = edit.status === undefined ? null : moveBetween(visit.status, edit.status);
  const status = move ? statusAfter(visit, move) : visit.status;
  const cleared: readonly ReviewFlag[] = [
    ...(edit.plate === undefined ? [] : (['unreadable-plate'] as const)),
    ...(edit.reviewed ?? []),
  ];
  return {
    ...visit,
    plate: edit.plate ?? visit.plate,
    endedAt: move === 'voided' ? (endedAt ?? edit.at) : endedAt,
    status: status === 'need-plate' && edit.plate !== undefined ? 'new' : status,
    flags: visit.flags.filter((flag) => !cleared.includes(flag)),
    // Opened again, it is unsettled again: whatever let it leave does so no more.
    ...(visit.status === 'completed' &&
      move !== null && { paymentStatus: null, paidUntil: null, price: null }),
    // With another end it is another stay: priced anew, and not seen to leave.
    ...(edit.endedAt !== undefined && status !== 'completed' && { price: null }),
    ...(edit.endedAt !== undefined &&
      edit.endedAt !== visit.endedAt && { exitLaneId: null, exitReadId: null, exitFoundBy: null }),
  };
}

/** What is left of a due after a settlement: nothing where it was waived, else what was not paid. */
function dueAfter(amountMinor: number, settlement: SettlementItem): number {
  return isWaiver(settlement) ? 0 : Math.max(0, amountMinor - settlement.amountMinor);
}

/** What was paid for units stands in them. */
function paidInMoney({ paymentStatus, units, amountMinor }: SettlementItem): number {
  const met = paymentStatus === 'kiosk' || paymentStatus.endsWith('-invoice');
  return met && units === 0 ? amountMinor : 0;
}

function isWaiver({ paymentStatus }: SettlementItem): boolean {
  return paymentStatus === 'void' || paymentStatus === 'whitelisted';
}
