import { DAY_MS } from '@hlid/protocol/base/durations';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { formatMoney } from '@hlid/protocol/base/money';
import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import type { PaidWith, PaymentStatus, VisitStatus } from '@hlid/protocol/records/visit';
import { moveBetween } from '@hlid/protocol/rules/visit-state';
import { VISIT_ACTIONS } from '../visit-actions.ts';

/** No visit begins longer ago. */
export const OLDEST_START_MS = 366 * DAY_MS;

/** A visit before a person's edit. */
export interface VisitBefore {
  plate: string | null;
  status: VisitStatus;
  paymentStatus: PaymentStatus | null;
  startedAt: UtcTime;
  endedAt: UtcTime | null;
  /** Due as last priced; null: not priced. */
  amountMinor: number | null;
  /** Null: not priced. */
  currency?: string | null;
  /**
   * The debt at the end that the edit gives it, as a person reads it; null: none. Asked for where the edit
   * closes it.
   */
  owes?: string | null;
}

/** The changes that a person requests; absent or the same: as it is. */
export interface EditRequest {
  plate?: string | undefined;
  status?: VisitStatus | undefined;
  paymentStatus?: PaymentStatus | null | undefined;
  /** How it was paid, for money that a person has received. */
  paidWith?: PaidWith | undefined;
  startedAt?: UtcTime | undefined;
  endedAt?: UtcTime | null | undefined;
  /** The part of what it owes that is given up. */
  waivedMinor?: number | undefined;
  reason?: string | undefined;
}

/** The steps to be done, in this order; absent: none. */
export interface VisitEditPlan {
  plate?: string;
  settle?: Exclude<PaymentStatus, 'failed'>;
  /** How the money came in that a person has received: of `kiosk`, and of nothing else. */
  paidWith?: PaidWith;
  /** The status after that, where it is not what plate and settlement lead to anyway. */
  status?: VisitStatus;
  startedAt?: UtcTime;
  endedAt?: UtcTime | null;
  waivedMinor?: number;
}

type Planned = { ok: true; plan: VisitEditPlan } | { ok: false; mistakes: Mistake[] };

/** The plan of a person's edit by the rules of a visit's states, or all of its mistakes. */
export function planVisitEdit(visit: VisitBefore, request: EditRequest, now: UtcTime): Planned {
  const mistakes: Mistake[] = [];
  const plan: VisitEditPlan = {};
  if (request.plate !== undefined && request.plate !== visit.plate) plan.plate = request.plate;
  const from = plan.plate !== undefined && visit.status === 'need-plate' ? 'new' : visit.status;
  const to = request.status === undefined || request.status === visit.status ? from : request.status;
  const settle = settlementOf(visit, request, mistakes);
  if (settle === 'kiosk') plan.paidWith = request.paidWith ?? 'other';
  else if (request.paidWith !== undefined) mistakes.push(mistake('paid-with-payment', 'paidWith'));
  if (settle !== undefined) planSettlement(visit, { to, from, settle, now }, plan, mistakes);
  else if (to !== from) planMove(visit, { to, from, now }, plan, mistakes);
  planStart(visit, request, now, plan, mistakes);
  planEnd(visit, request, now, plan, mistakes);
  planWaiver(visit, request, plan, mistakes);
  const action = actionOf(visit, plan);
  if (action !== null && !request.reason) mistakes.push(mistake('reason-needed', 'reason', { action }));
  return mistakes.length > 0 ? { ok: false, mistakes } : { ok: true, plan };
}

/** Whether a plan leaves everything as it is. */
export function isEmptyPlan(plan: VisitEditPlan): boolean {
  return Object.keys(plan).length === 0;
}

function settlementOf(
  visit: VisitBefore,
  { paymentStatus }: EditRequest,
  mistakes: Mistake[],
): VisitEditPlan['settle'] {
  const asItIs = paymentStatus === visit.paymentStatus && !((visit.amountMinor ?? 0) > 0);
  if (paymentStatus === undefined || asItIs) return undefined;
  if (paymentStatus === null) {
    if (visit.paymentStatus !== null) mistakes.push(mistake('settled-for-good', 'paymentStatus'));
    return undefined;
  }
  if (paymentStatus === 'failed') {
    if (visit.paymentStatus !== 'failed') mistakes.push(mistake('only-payments-fail', 'paymentStatus'));
    return undefined;
  }
  const why = VISIT_ACTIONS.settle.refuse(visit);
  if (why !== null) mistakes.push(why);
  return why === null ? paymentStatus : undefined;
}

interface Wanted {
  from: VisitStatus;
  to: VisitStatus;
  now: UtcTime;
}

function planSettlement(
  visit: VisitBefore,
  { from, to, settle, now }: Wanted & { settle: NonNullable<VisitEditPlan['settle']> },
  plan: VisitEditPlan,
  mistakes: Mistake[],
): void {
  plan.settle = settle;
  if (to === 'completed' && settle !== 'void') {
    plan.status = 'completed';
    if (visit.endedAt === null) plan.endedAt = now;
  } else if (to !== from && to !== 'new' && to !== 'completed') {
    mistakes.push(mistake('settled-cannot-become', 'status', { to }));
  }
}

function planMove(
  visit: VisitBefore,
  { from, to, now }: Wanted,
  plan: VisitEditPlan,
  mistakes: Mistake[],
): void {
  const move = moveBetween(from, to);
  switch (move) {
    case 'voided':
      if (visit.owes) {
        mistakes.push(mistake('due-at-closing', 'status', { amount: visit.owes }));
      }
      plan.status = to;
      if (visit.endedAt === null) plan.endedAt = now;
      return;
    case 'reopened':
      plan.status = to;
      if (visit.endedAt !== null) plan.endedAt = null;
      return;
    case 'plate-given':
      if (visit.plate === null) mistakes.push(mistake('plate-with-it', 'plate'));
      plan.status = to;
      return;
    case 'asked-to-leave':
    case 'paid':
    case 'reopened-unpaid':
      plan.status = to;
      return;
    default:
      mistakes.push(mistake('visit-cannot-become', 'status', { from, to }));
  }
}

/** A stay begins before it ends; one that is over is opened again first, since its bill is settled. */
function planStart(
  visit: VisitBefore,
  { startedAt, endedAt = visit.endedAt }: EditRequest,
  now: UtcTime,
  plan: VisitEditPlan,
  mistakes: Mistake[],
): void {
  if (startedAt === undefined || startedAt === visit.startedAt) return;
  if (visit.status === 'completed' && plan.status === undefined) {
    mistakes.push(mistake('visit-completed', 'startedOn'));
  } else if (startedAt >= (endedAt ?? now)) {
    mistakes.push(mistake('start-before-end', 'startedOn'));
  } else if (millis(now) - millis(startedAt) > OLDEST_START_MS) {
    mistakes.push(mistake('a-year-ago', 'startedOn'));
  } else {
    plan.startedAt = startedAt;
  }
}

/** The time of the end may be given only together with what ends the visit or opens it again. */
function planEnd(
  visit: VisitBefore,
  { endedAt, startedAt = visit.startedAt }: EditRequest,
  now: UtcTime,
  plan: VisitEditPlan,
  mistakes: Mistake[],
): void {
  if (endedAt === undefined || endedAt === visit.endedAt) return;
  const reopens = visit.status === 'completed' && plan.status !== undefined;
  const closes = plan.status === 'completed' || plan.settle === 'void';
  if (endedAt === null ? !reopens : !closes) {
    mistakes.push(mistake('end-with-status', 'endedOn'));
  } else if (endedAt !== null && (endedAt < startedAt || endedAt > now)) {
    mistakes.push(mistake('end-out-of-range', 'endedOn'));
  } else {
    plan.endedAt = endedAt;
  }
}

/** A part is given up by itself: what else an edit changes may change the amount. */
function planWaiver(
  { status, endedAt, amountMinor, currency }: VisitBefore,
  { waivedMinor }: EditRequest,
  plan: VisitEditPlan,
  mistakes: Mistake[],
): void {
  if (waivedMinor === undefined) return;
  const owedMinor = amountMinor ?? 0;
  if (status !== 'need-payment' || endedAt === null || owedMinor === 0 || !isEmptyPlan(plan)) {
    mistakes.push(mistake('waive-left-only', 'waive'));
  } else if (waivedMinor >= owedMinor) {
    const left = formatMoney({ amountMinor: owedMinor, currency: currency ?? 'ISK' }, 'en');
    mistakes.push(mistake('waive-too-much', 'waive', { left }));
  } else {
    plan.waivedMinor = waivedMinor;
  }
}

type ReasonedAction = 'voiding' | 'waiving' | 'reopening' | 'correcting-start' | 'closing';

/** The action that must have a reason. */
function actionOf(visit: VisitBefore, plan: VisitEditPlan): ReasonedAction | null {
  if (plan.settle === 'void') return 'voiding';
  if (plan.waivedMinor !== undefined) return 'waiving';
  if (visit.status === 'completed' && plan.status !== undefined) return 'reopening';
  if (plan.startedAt !== undefined) return 'correcting-start';
  return plan.status === 'completed' && plan.settle === undefined ? 'closing' : null;
}
