import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/durations.ts';
import { millis, type UtcTime, utcTime } from '../base/utc-time.ts';
import { decideLeaving, type GatheredAtExit } from './lane-facts.ts';
import type { StayFacts } from './stay-price.ts';

/** The two times that matter to a driver who has paid. */
export interface LeavingTimes {
  /**
   * The last moment at which the exit opens without charging more. Null: more is due already, or never will be.
   */
  leaveBy: UtcTime | null;
  /** The same without the time to leave after a payment. Null: nothing of the stay is paid or it lasts without end, or it is over. */
  stayPaidUntil: UtcTime | null;
}

export const NO_LEAVING_TIMES: LeavingTimes = { leaveBy: null, stayPaidUntil: null };

/** A stay that owes nothing more for this long counts as free without end. */
const HORIZON_MS = 400 * DAY_MS;
/** Flat rates make a price fall again: then it is looked at this often. */
const MAX_STEPS = 96;
const MIN_STEP_MS = 30 * MINUTE_MS;

/**
 * The time until which a car inside may leave without paying more. It is found by the decision of the exit
 * itself, so kiosk, payment page and gate have the same time.
 *
 * @param gathered the facts for an exit's decision now, if the plate were read well
 */
export function leavingTimes(gathered: GatheredAtExit, now: UtcTime): LeavingTimes {
  const { leaving, stay } = gathered;
  if (leaving === null || typeof leaving === 'string') return NO_LEAVING_TIMES;
  const { visit } = leaving;
  const mayFall = stay !== null && hasFlatRates(stay.products);
  const withoutGrace = { ...gathered, leaving: { ...leaving, visit: { ...visit, paidUntil: null } } };
  const hasPaid = visit.unitsMet > 0 || visit.paidMinor > 0 || (visit.quota?.units ?? 0) > 0;
  return {
    leaveBy: lastFree((at) => isFree(gathered, at), now, mayFall),
    stayPaidUntil: hasPaid ? lastFree((at) => isFree(withoutGrace, at), now, mayFall) : null,
  };
}

function hasFlatRates(products: StayFacts['products']): boolean {
  const tariffs = [products?.atEntry, products?.now].flatMap((product) => product?.config.tariff ?? []);
  return tariffs.some((tariff) => [tariff, ...tariff.classes].some(({ flatRates }) => flatRates.length > 0));
}

/** Whether the exit would open without a charge: of money, an invoice or quota. */
function isFree(gathered: GatheredAtExit, at: UtcTime): boolean {
  const { open, reason } = decideLeaving(gathered, at).decision;
  return open && (reason === 'paid' || reason === 'nothing-due' || reason === 'whitelisted');
}

/** @param mayFall it may be free again after it was not */
function lastFree(free: (at: UtcTime) => boolean, now: UtcTime, mayFall: boolean): UtcTime | null {
  const start = millis(now);
  const at = (ms: number) => utcTime(start + ms);
  if (!free(now)) return null;
  let [open, closed] = [0, HOUR_MS];
  while (closed < HORIZON_MS && free(at(closed))) [open, closed] = [closed, closed * 2];
  const isEndless = closed >= HORIZON_MS && free(at(HORIZON_MS));
  if (mayFall) {
    const end = Math.min(closed, HORIZON_MS);
    const step = Math.max(MIN_STEP_MS, end / MAX_STEPS);
    for (let ms = step; ms < end; ms += step) {
      if (free(at(ms))) continue;
      return lastOf(free, start, ms - step, ms);
    }
  }
  return isEndless ? null : lastOf(free, start, open, Math.min(closed, HORIZON_MS));
}

/** The last moment at which it is free, between one at which it is and one at which it is not, after a start. */
function lastOf(free: (at: UtcTime) => boolean, start: number, open: number, closed: number): UtcTime {
  let [from, to] = [Math.floor(open), Math.ceil(closed)];
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2);
    if (free(utcTime(start + middle))) from = middle;
    else to = middle;
  }
  return utcTime(start + from);
}
