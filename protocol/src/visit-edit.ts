import type { VisitEditItem } from './site-change.ts';
import type { ReviewFlag, Visit } from './visit.ts';
import { moveBetween } from './visit-state.ts';
import { statusAfter } from './visit-transitions.ts';

/** The visit as a person has corrected it; what it draws on by another plate, and its price, are for the caller. */
export function editedVisit(visit: Visit, edit: Omit<VisitEditItem, 'id' | 'visitId'>): Visit {
  const startedAt = edit.startedAt ?? visit.startedAt;
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
    startedAt,
    endedAt: move === 'voided' ? (endedAt ?? edit.at) : endedAt,
    status: status === 'need-plate' && edit.plate !== undefined ? 'new' : status,
    flags: visit.flags.filter((flag) => !cleared.includes(flag)),
    // Opened again, it is unsettled again: whatever let it leave does so no more.
    ...(visit.status === 'completed' &&
      move !== null && { paymentStatus: null, paidUntil: null, price: null }),
    // Asked to pay now, it owes what it comes to now, whatever it was asked for before.
    ...(status === 'need-payment' && visit.status !== status && { price: null }),
    // With another start or end it is another stay: priced anew, and with another end not seen to leave.
    ...(startedAt !== visit.startedAt && { price: null }),
    ...(edit.endedAt !== undefined && status !== 'completed' && !endsAsAsked(visit, edit) && { price: null }),
    ...(edit.endedAt !== undefined &&
      edit.endedAt !== visit.endedAt && { exitLaneId: null, exitReadId: null, exitFoundBy: null }),
  };
}

/** Whether a visit that has been asked to pay ends at the moment of the edit: it owes what it was asked for. */
function endsAsAsked(visit: Visit, { endedAt, at }: Pick<VisitEditItem, 'endedAt' | 'at'>): boolean {
  return visit.status === 'need-payment' && visit.endedAt === null && endedAt === at;
}

/** Whether a visit is to be priced now that it is as a person has corrected it: it is asked for a price it has not. */
export function needsPrice({ status, price }: Pick<Visit, 'status' | 'price'>): boolean {
  return status === 'need-payment' && price === null;
}
