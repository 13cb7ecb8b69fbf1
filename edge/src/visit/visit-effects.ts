import type { SettlementItem, VisitEditItem } from '@hlid/protocol/site-change';
import { MINUTE_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { ReviewFlag, Visit } from '@hlid/protocol/visit';
import { moveBetween, moveVisit, type VisitMove } from '@hlid/protocol/visit-state';
import { givenBack } from '../quota/quota-book.ts';

/** The status after a move; where the rules forbid the move, what happened on the ground still stands. */
export function statusAfter(visit: Visit, move: VisitMove): Visit['status'] {
  const moved = moveVisit(visit.status, move);
  return moved.ok ? moved.status : visit.status;
}

export function withFlags(flags: readonly ReviewFlag[], more: readonly ReviewFlag[]): ReviewFlag[] {
  return [...new Set([...flags, ...more])];
}

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

function isWaiver({ paymentStatus }: SettlementItem): boolean {
  return paymentStatus === 'void' || paymentStatus === 'whitelisted';
}
