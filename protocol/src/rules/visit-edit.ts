import type { ReviewFlag, Visit, VisitPrice, VisitStatus } from '../records/visit.ts';
import type { VisitEditItem } from '../site-link/site-change.ts';
import { moveBetween } from './visit-state.ts';
import { statusAfter } from './visit-transitions.ts';

/** Applies a person's correction to a visit. The caller updates the quota (for another plate) and the price. */
export function editedVisit(visit: Visit, edit: Omit<VisitEditItem, 'id' | 'visitId'>): Visit {
  const { waivedMinor = 0 } = edit;
  const edited = correctedVisit(visit, edit);
  if (waivedMinor === 0 || edited.endedAt === null || edited.price === null) return edited;
  return { ...edited, price: partlyWaived(edited.price, waivedMinor) };
}

/** A price of which a part is given up: what is left is due, and stays so until the visit is priced again. */
export function partlyWaived(price: VisitPrice, wantedMinor: number): VisitPrice {
  const waivedMinor = Math.min(price.amountMinor, wantedMinor);
  return {
    ...price,
    amountMinor: price.amountMinor - waivedMinor,
    lines: [...price.lines, { rule: 'waived', units: 0, amountMinor: 0 - waivedMinor }],
  };
}

function correctedVisit(visit: Visit, edit: Omit<VisitEditItem, 'id' | 'visitId'>): Visit {
  const startedAt = edit.startedAt ?? visit.startedAt;
  const endedAt = edit.endedAt === undefined ? visit.endedAt : edit.endedAt;
  const move = edit.status === undefined ? null : moveBetween(visit.status, edit.status);
  const status = move ? statusAfter(visit, move) : visit.status;
  const plate = edit.plate === undefined ? visit.plate : edit.plate;
  const cleared: readonly ReviewFlag[] = [
    ...(edit.plate === undefined ? [] : (['unreadable-plate'] as const)),
    ...(edit.reviewed ?? []),
  ];
  const raised: readonly ReviewFlag[] = edit.plate === null ? ['unreadable-plate'] : [];
  return {
    ...visit,
    plate,
    startedAt,
    endedAt: move === 'voided' ? (endedAt ?? edit.at) : endedAt,
    status: statusByPlate(status, edit),
    flags: [
      ...new Set([
        ...visit.flags.filter((flag) => !cleared.includes(flag)),
        ...raised,
        ...(edit.flagged ?? []),
      ]),
    ],
    // A reopened visit is unsettled again, and may not leave on an earlier payment.
    ...(visit.status === 'completed' &&
      move !== null && { paymentStatus: null, paidUntil: null, price: null }),
    // A new request for payment is for the price now, not for the earlier one.
    ...(status === 'need-payment' && visit.status !== status && { price: null }),
    // Another start or end changes the price; another end also means that no exit read is valid.
    ...(startedAt !== visit.startedAt && { price: null }),
    ...(edit.endedAt !== undefined && status !== 'completed' && !endsAsAsked(visit, edit) && { price: null }),
    ...(edit.endedAt !== undefined &&
      edit.endedAt !== visit.endedAt && { exitLaneId: null, exitReadId: null, exitFoundBy: null }),
    ...edit.restored,
  };
}

/** A visit waits for its plate only while it has none. */
function statusByPlate(status: VisitStatus, { plate }: Pick<VisitEditItem, 'plate'>): VisitStatus {
  if (plate === undefined) return status;
  if (plate === null) return status === 'new' ? 'need-plate' : status;
  return status === 'need-plate' ? 'new' : status;
}

/** Whether a visit with a request for payment ends at the moment of the edit; it owes the requested amount. */
function endsAsAsked(visit: Visit, { endedAt, at }: Pick<VisitEditItem, 'endedAt' | 'at'>): boolean {
  return visit.status === 'need-payment' && visit.endedAt === null && endedAt === at;
}

/** Whether a corrected visit must be priced because it needs a price and has none. */
export function needsPrice({ status, price }: Pick<Visit, 'status' | 'price'>): boolean {
  return status === 'need-payment' && price === null;
}
