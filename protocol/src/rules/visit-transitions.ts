import { DAY_MS } from '../base/durations.ts';
import { millis, type UtcTime } from '../base/utc-time.ts';
import { comparePlates, isLookalike } from '../plate/plate.ts';
import type { Decision } from '../records/decision.ts';
import type { FoundBy, PaymentStatus, ReviewFlag, Visit, VisitStep } from '../records/visit.ts';
import { type Price, waivePrice } from '../tariff/price-visit.ts';
import type { PassageCourse } from './passage-transitions.ts';
import { moveVisit, type VisitMove } from './visit-state.ts';

/** The author of a change of a visit, its time and its reason. */
export interface ChangeContext {
  at: UtcTime;
  by: string;
  reason: string;
}

export interface Arrival {
  plate: string | null;
  status: 'new' | 'need-plate';
  laneId: string;
  readId: string;
  flags: readonly ReviewFlag[];
  permitId: string | null;
  quota: Visit['quota'];
}

export interface Departure {
  laneId: string;
  readId: string;
  foundBy: FoundBy;
  settlement: PaymentStatus | null;
  settled: boolean;
  flags: readonly ReviewFlag[];
  price: Price | null;
  quota: Visit['quota'];
  permitId: string | null;
}

/** The demand on a visit that is about to leave. */
export type Demand = Pick<Departure, 'price' | 'quota' | 'flags'>;

/** A decision with its inputs: the change of the visit follows from it alone. */
export interface Decided {
  decision: Decision;
  /** The visit that leaves, and how it was matched. */
  leaving: { visit: Visit; foundBy: FoundBy } | null;
  /** The open visit of the plate that comes in: its exit was missed. */
  inside: Visit | null;
  /** The amount due, less the part covered by the customer's quota. */
  price: Price | null;
  /** The quota that the visit uses afterwards. */
  quota: Visit['quota'];
  permitId: string | null;
}

/** The changes of a site's visits, in order, and the visit of the passage afterwards. */
interface DecidedChanges {
  changes: VisitChange[];
  visitId: string | null;
}

const NO_CHANGES: DecidedChanges = { changes: [], visitId: null };

/**
 * The changes of the site's visits that follow from the decision on a passage. A car that owes and has
 * `passed` (its gate is already open) has left: its visit ends unsettled and needs a review.
 *
 * @param options.id for a visit that begins
 */
export function decidedChanges(
  { decision, leaving, inside, price, quota, permitId }: Decided,
  { laneId, readId, plate }: Pick<PassageCourse, 'laneId' | 'readId' | 'plate'>,
  at: UtcTime,
  { passed, id }: { passed: boolean; id: string },
): DecidedChanges {
  const { flags, settlement, visit: effect, reason } = decision;
  const context: ChangeContext = { at, by: `lane:${laneId}`, reason };
  if (effect.kind === 'none') return NO_CHANGES;
  if (effect.kind === 'start') {
    const arrival = { plate, status: effect.status, laneId, readId, flags, permitId, quota };
    const begun = visitChange(null, beginVisit(id, arrival, context), context);
    return { changes: [...changesToClear(inside, id, context), begun], visitId: id };
  }
  if (leaving === null) return NO_CHANGES;
  const { visit, foundBy } = leaving;
  if (effect.kind === 'review') {
    const after = { ...visit, flags: withFlags(visit.flags, flags) };
    const isKnown = after.flags.length === visit.flags.length;
    // The visit is perhaps another car's, so the passage gets no visit.
    return { changes: isKnown ? [] : [visitChange(visit, after, context)], visitId: null };
  }
  if (effect.kind === 'ask' && !passed) {
    const demand = { price, quota, flags };
    // A car that waits at the exit is read again and again.
    if (asksTheSame(visit, demand)) return { changes: [], visitId: visit.id };
    const asked = visitChange(visit, requestPayment(visit, demand, context), context);
    return { changes: [asked], visitId: visit.id };
  }
  const settled = effect.kind === 'end' && effect.settled;
  // A settled visit owes nothing more, except by an invoice to come.
  const isBilled = !settled || settlement === 'company-invoice' || settlement === 'owner-invoice';
  const due = price && !isBilled ? waivePrice(price) : price;
  const departure = { laneId, readId, foundBy, settlement, settled, flags, price: due, quota, permitId };
  const left = visitChange(visit, departedVisit(visit, departure, context), context);
  return { changes: [left], visitId: visit.id };
}

/** Whether the visit already has this demand. */
export function asksTheSame(visit: Visit, { price, quota }: Demand): boolean {
  return (
    visit.status === 'need-payment' &&
    visit.price?.amountMinor === price?.amountMinor &&
    visit.quota?.units === quota?.units
  );
}

/** Begins the visit of a car that came in. */
export function beginVisit(id: string, arrival: Arrival, { at }: ChangeContext): Visit {
  const { plate, status, laneId, readId, flags, permitId, quota } = arrival;
  return {
    id,
    plate,
    status,
    paymentStatus: null,
    startedAt: at,
    endedAt: null,
    createdAt: at,
    price: null,
    unitsMet: 0,
    paidMinor: 0,
    paidUntil: null,
    flags: [...flags],
    entryLaneId: laneId,
    exitLaneId: null,
    entryReadId: readId,
    exitReadId: null,
    exitFoundBy: null,
    permitId,
    quota,
  };
}

/** The car is about to leave and an amount is due. */
export function requestPayment(visit: Visit, { price, quota, flags }: Demand, { at }: ChangeContext): Visit {
  return {
    ...visit,
    status: statusAfter(visit, 'asked-to-leave'),
    price: pricedAt(price, at),
    flags: withFlags(visit.flags, flags),
    quota,
  };
}

/** The car has left, settled or not. */
export function departedVisit(visit: Visit, departure: Departure, { at }: ChangeContext): Visit {
  return {
    ...visit,
    status: statusAfter(visit, departure.settled ? 'left-settled' : 'asked-to-leave'),
    paymentStatus: departure.settlement ?? visit.paymentStatus,
    endedAt: at,
    price: pricedAt(departure.price, at) ?? visit.price,
    flags: withFlags(flagsAtExit(visit, departure), departure.flags),
    exitLaneId: departure.laneId,
    exitReadId: departure.readId,
    exitFoundBy: departure.foundBy,
    permitId: departure.permitId ?? visit.permitId,
    quota: departure.quota,
  };
}

/**
 * The visit of a car that has not left after all: the plate that ended it was misread. A person sees why in its history.
 *
 * @param decision the one that ended it
 */
export function undoDeparture(visit: Visit, { settlement, flags }: Decision): Visit {
  const isPaid = visit.unitsMet > 0 || visit.paidMinor > 0;
  const owes = !isPaid && visit.status === 'need-payment';
  return {
    ...visit,
    status: owes ? visit.status : statusAfter(visit, 'reopened'),
    paymentStatus: settlement === null ? visit.paymentStatus : null,
    endedAt: null,
    price: null,
    flags: visit.flags.filter((flag) => !flags.includes(flag)),
    exitLaneId: null,
    exitReadId: null,
    exitFoundBy: null,
  };
}

/** Whether a better reading of the car shows that the visit which it ended is another car's. */
export function endedAnother(
  before: Pick<PassageCourse, 'decision' | 'visitId'>,
  after: Pick<PassageCourse, 'plate'>,
  visit: Visit,
): boolean {
  const { decision, visitId } = before;
  if (decision.visit.kind !== 'end' || visitId !== visit.id || visit.endedAt === null) return false;
  return (
    after.plate !== null && visit.plate !== null && comparePlates(after.plate, visit.plate) === 'different'
  );
}

/** A visit that leaves by its own plate is not the one that may have left before. */
function flagsAtExit({ flags }: Visit, { foundBy }: Departure): ReviewFlag[] {
  return foundBy === 'equal' ? flags.filter((flag) => flag !== 'near-exit') : flags;
}

/** The car came in again, so its exit was missed. The visit ends unbilled and needs a review. */
export function markExitMissed(visit: Visit, { at }: ChangeContext): Visit {
  return { ...visit, endedAt: at, flags: withFlags(visit.flags, ['lost-exit']) };
}

/** A car that was asked to pay may come back to the exit the same day. */
const MAX_PRICE_AGE_MS = DAY_MS;

/**
 * Whether the end of a visit that is still open was certainly missed. It began before the retention of
 * visits, nothing is paid for a time to come, and no payment was requested for it lately. A person decides if
 * the clock was set meanwhile.
 * @param before visits that began before this time are past their retention
 */
export function isEndLost(
  visit: Pick<Visit, 'startedAt' | 'endedAt' | 'paidUntil' | 'price' | 'flags'>,
  before: UtcTime,
  at: UtcTime,
): boolean {
  const { startedAt, endedAt, paidUntil, price } = visit;
  if (visit.flags.includes('clock-set')) return false;
  if (endedAt !== null || startedAt >= before || (paidUntil !== null && paidUntil > at)) return false;
  return price === null || millis(at) - millis(price.pricedAt) > MAX_PRICE_AGE_MS;
}

/**
 * Closes the visit of a car that left at an unknown time, and removes its plate. What it was asked to pay at
 * an exit stays due, and keeps its plate like any other debt.
 */
export function closeLost(visit: Visit, context: ChangeContext): Visit {
  const owes = visit.status === 'need-payment' && (visit.price?.amountMinor ?? 0) > 0;
  const lost = markExitMissed(visit, context);
  return owes ? lost : { ...lost, status: statusAfter(visit, 'voided'), plate: null };
}

/** Corrects the plate of a visit, and with it the quota that it uses. The permit of another plate covers nothing of it. */
export function changePlate(visit: Visit, plate: string, quota: Visit['quota']): Visit {
  return {
    ...visit,
    plate,
    status: statusAfter(visit, 'plate-given'),
    flags: visit.flags.filter((flag) => flag !== 'unreadable-plate'),
    permitId: visit.plate !== null && isLookalike(visit.plate, plate) ? visit.permitId : null,
    quota,
  };
}

/** One change of a visit, to be stored with its event. */
export interface VisitChange {
  type: 'visit.opened' | 'visit.updated' | 'visit.ended';
  before: Visit | null;
  after: Visit;
  context: ChangeContext;
}

/** A visit changed or began. */
export function visitChange(before: Visit | null, after: Visit, context: ChangeContext): VisitChange {
  const ended = before !== null && before.endedAt === null && after.endedAt !== null;
  const type = before === null ? 'visit.opened' : ended ? 'visit.ended' : 'visit.updated';
  return { type, before, after, context };
}

/** Ends another open visit of a plate, since a plate is inside once. @param inside the open visit of that plate, if any */
export function changesToClear(
  inside: Visit | undefined | null,
  forVisitId: string,
  context: ChangeContext,
): VisitChange[] {
  if (!inside || inside.id === forVisitId) return [];
  return [visitChange(inside, markExitMissed(inside, context), { ...context, reason: 'lost-exit' })];
}

/** One line of the visit's history. */
export function visitStep(
  before: Pick<Visit, 'status'> | null,
  after: Visit,
  context: ChangeContext,
): VisitStep {
  return { from: before?.status ?? null, to: after.status, ...context };
}

/** The status after a move; if the rules forbid the move, the visit still follows what happened at the lane. */
export function statusAfter(visit: Pick<Visit, 'status'>, move: VisitMove): Visit['status'] {
  const moved = moveVisit(visit.status, move);
  return moved.ok ? moved.status : visit.status;
}

/** A price as stored with a visit. */
export function pricedAt(price: Price | null, at: UtcTime): Visit['price'] {
  if (price === null) return null;
  const { amountMinor, currency, lines, product } = price;
  return { amountMinor, currency, lines, product, pricedAt: at };
}

/** Adds flags without duplicates. */
function withFlags(flags: readonly ReviewFlag[], more: readonly ReviewFlag[]): ReviewFlag[] {
  return [...new Set([...flags, ...more])];
}

/**
 * Allocates units of a quota to a visit. A visit that once had units keeps the id of the quota, even after it has
 * released them.
 */
export function allocateQuota(quotaId: string | null, units: number, before: Visit['quota']): Visit['quota'] {
  return quotaId !== null && units > 0 ? { id: quotaId, units } : releaseQuota(before);
}

/** Releases the units of a visit. */
export function releaseQuota(quota: Visit['quota']): Visit['quota'] {
  return quota && { ...quota, units: 0 };
}
