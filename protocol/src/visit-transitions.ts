import type { Decision } from './decision.ts';
import type { PassageCourse } from './passage-transitions.ts';
import { type Price, waivePrice } from './price-visit.ts';
import type { UtcTime } from './utc-time.ts';
import type { FoundBy, PaymentStatus, ReviewFlag, Visit, VisitStep } from './visit.ts';
import { moveVisit, type VisitMove } from './visit-state.ts';

/** Who did something to a visit, when, and why. */
export interface ChangeContext {
  at: UtcTime;
  by: string;
  why: string;
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

/** What a visit that wants to leave is asked for. */
export type Demand = Pick<Departure, 'price' | 'quota' | 'flags'>;

/** A decision with what it was made from. */
export interface Decided {
  decision: Decision;
  /** The visit that leaves, and how it was found. */
  leaving: { visit: Visit; foundBy: FoundBy } | null;
  /** What it owes, after what its customer's quota meets. */
  price: Price | null;
  /** What the visit draws on after it. */
  quota: Visit['quota'];
  permitId: string | null;
}

/** What a decision comes to for the visits of a site. */
export type VisitAction =
  | { kind: 'none' }
  | { kind: 'begin'; arrival: Arrival; context: ChangeContext }
  | { kind: 'ask'; visit: Visit; demand: Demand; context: ChangeContext }
  /** A car that waits at the exit is read again and again: it has been asked for the same before. */
  | { kind: 'asked'; visit: Visit }
  /** It may be that of a car that left: it stays as it is, and a person looks at it. */
  | { kind: 'review'; visit: Visit; flags: readonly ReviewFlag[]; context: ChangeContext }
  | { kind: 'leave'; visit: Visit; departure: Departure; context: ChangeContext };

/**
 * What is to be done to the visit of a passage that was decided. A car that owes and has `passed` (its gate is open
 * already) has left: its visit ends unsettled and waits for a person.
 */
export function visitAction(
  { decision, leaving, price, quota, permitId }: Decided,
  { laneId, readId, plate }: Pick<PassageCourse, 'laneId' | 'readId' | 'plate'>,
  at: UtcTime,
  passed: boolean,
): VisitAction {
  const { flags, settlement, visit: effect, reason } = decision;
  const context: ChangeContext = { at, by: `lane:${laneId}`, why: reason };
  if (effect.kind === 'none') return effect;
  if (effect.kind === 'start') {
    const arrival = { plate, status: effect.status, laneId, readId, flags, permitId, quota };
    return { kind: 'begin', arrival, context };
  }
  if (leaving === null) return { kind: 'none' };
  const { visit, foundBy } = leaving;
  if (effect.kind === 'review') return { kind: 'review', visit, flags, context };
  const departure = { laneId, readId, foundBy, settlement, settled: false, flags, price, quota, permitId };
  if (effect.kind === 'ask') {
    if (passed) return { kind: 'leave', visit, departure, context };
    const demand = { price, quota, flags };
    return asksTheSame(visit, demand) ? { kind: 'asked', visit } : { kind: 'ask', visit, demand, context };
  }
  const { settled } = effect;
  // Whoever leaves settled owes nothing more, but for what an invoice will say.
  const billed = !settled || settlement === 'company-invoice' || settlement === 'owner-invoice';
  const due = price && !billed ? waivePrice(price) : price;
  return { kind: 'leave', visit, departure: { ...departure, settled, price: due }, context };
}

/** Whether a visit has been asked for just this before. */
export function asksTheSame(visit: Visit, { price, quota }: Demand): boolean {
  return (
    visit.status === 'need-payment' &&
    visit.price?.amountMinor === price?.amountMinor &&
    visit.quota?.units === quota?.units
  );
}

/** The visit of a car that came in. */
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

/** It wants to leave and something is due. */
export function requestPayment(visit: Visit, { price, quota, flags }: Demand, { at }: ChangeContext): Visit {
  return {
    ...visit,
    status: statusAfter(visit, 'asked-to-leave'),
    price: pricedAt(price, at),
    flags: withFlags(visit.flags, flags),
    quota,
  };
}

/** It has left, settled or not. */
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

/** Seen to leave by its own plate, it was not the one that left before. */
function flagsAtExit({ flags }: Visit, { foundBy }: Departure): ReviewFlag[] {
  return foundBy === 'equal' ? flags.filter((flag) => flag !== 'near-exit') : flags;
}

/** Seen coming in again: its exit was missed. It ends unbilled and waits for a person. */
export function markExitMissed(visit: Visit, { at }: ChangeContext): Visit {
  return { ...visit, endedAt: at, flags: withFlags(visit.flags, ['lost-exit']) };
}

/** The visit by a better reading of its plate, and what it draws on by that. */
export function changePlate(visit: Visit, plate: string, quota: Visit['quota']): Visit {
  return {
    ...visit,
    plate,
    status: statusAfter(visit, 'plate-given'),
    flags: visit.flags.filter((flag) => flag !== 'unreadable-plate'),
    quota,
  };
}

/** One change of a visit, to be written down with its event. */
export interface VisitChange {
  type: 'visit.opened' | 'visit.updated' | 'visit.ended';
  before: Visit | null;
  after: Visit;
  context: ChangeContext;
}

/** A visit became another, or began. */
export function visitChange(before: Visit | null, after: Visit, context: ChangeContext): VisitChange {
  const ended = before !== null && before.endedAt === null && after.endedAt !== null;
  const type = before === null ? 'visit.opened' : ended ? 'visit.ended' : 'visit.updated';
  return { type, before, after, context };
}

/** Makes way for a plate: one plate is inside once. @param inside the open visit of that plate, if there is one */
export function changesToClear(
  inside: Visit | undefined | null,
  forVisitId: string,
  context: ChangeContext,
): VisitChange[] {
  if (!inside || inside.id === forVisitId) return [];
  return [visitChange(inside, markExitMissed(inside, context), { ...context, why: 'lost-exit' })];
}

/**
 * What a decision changes of the visits of a site, in order.
 *
 * @param id for a visit that begins
 * @param inside the open visit of the plate that comes in
 */
export function actionChanges(
  turn: VisitAction,
  { id, inside }: { id: string; inside: Visit | undefined | null },
): { changes: VisitChange[]; visitId: string | null } {
  switch (turn.kind) {
    case 'none':
      return { changes: [], visitId: null };
    case 'begin': {
      const begun = visitChange(null, beginVisit(id, turn.arrival, turn.context), turn.context);
      return { changes: [...changesToClear(inside, id, turn.context), begun], visitId: id };
    }
    case 'ask': {
      const { visit, demand, context } = turn;
      return {
        changes: [visitChange(visit, requestPayment(visit, demand, context), context)],
        visitId: visit.id,
      };
    }
    case 'asked':
      return { changes: [], visitId: turn.visit.id };
    case 'review': {
      const { visit, context } = turn;
      const after = { ...visit, flags: withFlags(visit.flags, turn.flags) };
      const known = after.flags.length === visit.flags.length;
      // The car that leaves is perhaps another's: its passage belongs to no visit.
      return { changes: known ? [] : [visitChange(visit, after, context)], visitId: null };
    }
    case 'leave': {
      const { visit, departure, context } = turn;
      return {
        changes: [visitChange(visit, departedVisit(visit, departure, context), context)],
        visitId: visit.id,
      };
    }
    default:
      return turn satisfies never;
  }
}

/** The plate that is inside from this turn on, and may be so already; null: none. */
export function plateComingIn(turn: VisitAction): string | null {
  return turn.kind === 'begin' ? turn.arrival.plate : null;
}

/** One line of the visit's history. */
export function visitStep(
  before: Pick<Visit, 'status'> | null,
  after: Visit,
  context: ChangeContext,
): VisitStep {
  return { from: before?.status ?? null, to: after.status, ...context };
}

/** The status after a move; where the rules forbid the move, what happened on the ground still stands. */
export function statusAfter(visit: Pick<Visit, 'status'>, move: VisitMove): Visit['status'] {
  const moved = moveVisit(visit.status, move);
  return moved.ok ? moved.status : visit.status;
}

/** A price as a visit keeps it. */
export function pricedAt(price: Price | null, at: UtcTime): Visit['price'] {
  if (price === null) return null;
  const { amountMinor, currency, lines, product } = price;
  return { amountMinor, currency, lines, product, pricedAt: at };
}

/** Flags beside those that are there, each once. */
function withFlags(flags: readonly ReviewFlag[], more: readonly ReviewFlag[]): ReviewFlag[] {
  return [...new Set([...flags, ...more])];
}

/**
 * What a visit draws on once a quota meets so many units of it. One that once had units says so, and of which quota,
 * even when it has given them back.
 */
export function allocateQuota(quotaId: string | null, units: number, before: Visit['quota']): Visit['quota'] {
  return quotaId !== null && units > 0 ? { id: quotaId, units } : releaseQuota(before);
}

/** The visit needs its units no more. */
export function releaseQuota(quota: Visit['quota']): Visit['quota'] {
  return quota && { ...quota, units: 0 };
}
