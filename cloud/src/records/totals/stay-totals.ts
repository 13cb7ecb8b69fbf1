import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import type { VisitRow } from '../visits/visit-table.ts';

export const QUARTER_MS = 15 * MINUTE_MS;

/** The fields of a visit that the totals count. */
export type CountedStay = Pick<
  VisitRow,
  | 'siteId'
  | 'startedAt'
  | 'endedAt'
  | 'paymentStatus'
  | 'entryLaneId'
  | 'exitLaneId'
  | 'exitFoundBy'
  | 'permitId'
  | 'plateByPerson'
>;

const NOTHING = {
  arrivals: 0,
  departures: 0,
  insideMs: 0,
  stayMinutes: 0,
  permitStays: 0,
  automatic: 0,
  exits: 0,
  doubtfulExits: 0,
  deviceFaults: 0,
};

/** The counters of a lane in a quarter of an hour, or of a site on a day. */
export type Counters = typeof NOTHING;

export interface QuarterTotal {
  laneId: string;
  quarter: number;
  counters: Counters;
}

export interface MatchTotal {
  laneId: string;
  hour: number;
  judged: number;
  matched: number;
}

export interface PermitTotal {
  permitId: string;
  month: number;
  stays: number;
  stayMinutes: number;
}

/** The addition of a visit to the totals of its site. */
export interface StayTotals {
  quarters: QuarterTotal[];
  matches: MatchTotal[];
  permits: PermitTotal[];
}

/** The one rule of what a visit adds to the totals; null, or voided: nothing. */
export function totalsOf(stay: CountedStay | null): StayTotals {
  if (stay === null || stay.paymentStatus === 'void') return { quarters: [], matches: [], permits: [] };
  const { startedAt, endedAt, permitId } = stay;
  const laneId = stay.entryLaneId ?? '';
  const stayMinutes = endedAt === null ? 0 : minutesBetween(startedAt, endedAt);
  const arrival = {
    arrivals: 1,
    insideMs: restOfQuarter(startedAt),
    permitStays: permitId === null ? 0 : 1,
    automatic: stay.plateByPerson ? 0 : 1,
  };
  return {
    quarters: [
      quarterTotal(laneId, startedAt, arrival),
      ...(endedAt === null
        ? []
        : [
            quarterTotal(laneId, endedAt, {
              departures: 1,
              insideMs: -restOfQuarter(endedAt),
              stayMinutes,
            }),
          ]),
    ],
    matches: matchesOf(stay),
    permits: permitId === null ? [] : [{ permitId, month: monthOf(startedAt), stays: 1, stayMinutes }],
  };
}

/** A stay that ended shows for both its lanes whether they read the same plate. */
function matchesOf({ startedAt, endedAt, ...stay }: CountedStay): MatchTotal[] {
  if (endedAt === null) return [];
  const matched = stay.exitFoundBy === 'equal' && !stay.plateByPerson ? 1 : 0;
  return [
    ...(stay.entryLaneId === null
      ? []
      : [{ laneId: stay.entryLaneId, hour: hourOf(startedAt), judged: 1, matched }]),
    ...(stay.exitLaneId === null
      ? []
      : [{ laneId: stay.exitLaneId, hour: hourOf(endedAt), judged: 1, matched }]),
  ];
}

export function quarterTotal(laneId: string, at: UtcTime, counters: Partial<Counters>): QuarterTotal {
  return { laneId, quarter: quarterOf(at), counters: { ...NOTHING, ...counters } };
}

export function quarterOf(at: UtcTime): number {
  return Math.floor(millis(at) / QUARTER_MS);
}

export function hourOf(at: UtcTime): number {
  return Math.floor(millis(at) / HOUR_MS);
}

/** The month of a moment (UTC), counted from January 1970. */
export function monthOf(at: UtcTime): number {
  const date = new Date(millis(at));
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

function restOfQuarter(at: UtcTime): number {
  return (quarterOf(at) + 1) * QUARTER_MS - millis(at);
}

function minutesBetween(from: UtcTime, to: UtcTime): number {
  return Math.max(0, Math.floor((millis(to) - millis(from)) / MINUTE_MS));
}

/** Adds the counters of one to another. */
export function addCounters(to: Counters, more: Counters, sign: 1 | -1 = 1): void {
  for (const name of COUNTERS) to[name] += sign * more[name];
}

export const COUNTERS = Object.keys(NOTHING) as (keyof Counters)[];

export function noCounters(): Counters {
  return { ...NOTHING };
}

/** The addition that puts one visit in place of another in the totals; zeros are left out. */
export function differenceOf(before: StayTotals, after: StayTotals): StayTotals {
  return {
    quarters: summed(before.quarters, after.quarters, keyOfQuarter, (to, { counters }, sign) =>
      addCounters(to.counters, counters, sign),
    ).filter(({ counters }) => COUNTERS.some((name) => counters[name] !== 0)),
    matches: summed(
      before.matches,
      after.matches,
      ({ laneId, hour }) => `${hour} ${laneId}`,
      (to, more, sign) => {
        to.judged += sign * more.judged;
        to.matched += sign * more.matched;
      },
    ).filter(({ judged, matched }) => judged !== 0 || matched !== 0),
    permits: summed(
      before.permits,
      after.permits,
      ({ permitId, month }) => `${month} ${permitId}`,
      (to, more, sign) => {
        to.stays += sign * more.stays;
        to.stayMinutes += sign * more.stayMinutes;
      },
    ).filter(({ stays, stayMinutes }) => stays !== 0 || stayMinutes !== 0),
  };
}

function keyOfQuarter({ laneId, quarter }: QuarterTotal): string {
  return `${quarter} ${laneId}`;
}

/** One total for each key: those after, less those before. */
function summed<Total extends object>(
  before: readonly Total[],
  after: readonly Total[],
  keyOf: (total: Total) => string,
  add: (to: Total, more: Total, sign: 1 | -1) => void,
): Total[] {
  const sums = new Map<string, Total>();
  const count = (totals: readonly Total[], sign: 1 | -1) => {
    for (const total of totals) {
      const key = keyOf(total);
      let sum = sums.get(key);
      if (sum === undefined) {
        sum = structuredClone(total);
        // The first one of its kind begins at zero.
        add(sum, total, -1);
        sums.set(key, sum);
      }
      add(sum, total, sign);
    }
  };
  count(before, -1);
  count(after, 1);
  return [...sums.values()];
}
