import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import { evenStretches } from '@hlid/protocol/base/site-time';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { daySpan } from '../../platform/day-span.ts';
import type { ScanDb } from '../../platform/db/scan-job.ts';
import { QUARTER_MS } from '../../records/totals/stay-totals.ts';
import { firstQuarter, type TrafficTotal, trafficGrowth, trafficTotals } from './traffic-store.ts';

export interface TrafficQuestion {
  sites: readonly { id: string; timeZone: string }[];
  /** `YYYY-MM-DD`, both included, where each site is. */
  from: string;
  to: string;
  now: UtcTime;
}

/** The traffic of a site in one hour of the week, summed over its weeks. */
export interface TrafficHour {
  quarters: number;
  arrivals: number;
  departures: number;
  /** The average number of cars inside in each quarter, summed. */
  inside: number;
}

/** Hours of a week: Monday from midnight first. */
export const WEEK_HOURS = 7 * 24;
/** About half a year: one read is short. */
const QUARTERS_AT_ONCE = 17_520;
/** Monday, 5 January 1970. */
const MONDAY_MS = 4 * DAY_MS;

/** Sums the hours of the week of each site, one site after the other. Nothing is counted before its first car. */
export async function* scanTraffic(db: ScanDb, question: TrafficQuestion): AsyncGenerator<TrafficHour[]> {
  for (const site of question.sites) {
    const first = await db.read((q) => firstQuarter(q, site.id));
    if (first !== null) yield await weekOf(db, question, site, first);
  }
}

async function weekOf(
  db: ScanDb,
  { from, to, now }: TrafficQuestion,
  { id: siteId, timeZone }: TrafficQuestion['sites'][number],
  first: number,
): Promise<TrafficHour[]> {
  const week = Array.from({ length: WEEK_HOURS }, () => ({
    quarters: 0,
    arrivals: 0,
    departures: 0,
    inside: 0,
  }));
  const begin = Math.max(first, quarterOf(daySpan(from, timeZone).from));
  // The present quarter is not over.
  const end = Math.min(quarterOf(daySpan(to, timeZone).before), quarterOf(now));
  if (begin >= end) return week;

  let inside = 0;
  for (const piece of pieces(first, begin)) {
    inside += await db.read((q) => trafficGrowth(q, { siteId, ...piece }));
  }
  for (const piece of pieces(begin, end)) {
    const totals = await db.read((q) => trafficTotals(q, { siteId, ...piece }));
    inside = addTotals(week, totals, { ...piece, timeZone, inside });
  }
  return week;
}

function* pieces(from: number, before: number): Generator<{ from: number; before: number }> {
  for (let at = from; at < before; at += QUARTERS_AT_ONCE) {
    yield { from: at, before: Math.min(before, at + QUARTERS_AT_ONCE) };
  }
}

/** Adds every quarter of a stretch to its hour of the week, also those without a car. @returns cars inside after it */
function addTotals(
  week: readonly TrafficHour[],
  totals: readonly TrafficTotal[],
  { from, before, timeZone, inside }: { from: number; before: number; timeZone: string; inside: number },
): number {
  const byQuarter = new Map(totals.map((total) => [total.quarter, total]));
  let cars = inside;
  for (const stretch of evenStretches(utcTime(from * QUARTER_MS), utcTime(before * QUARTER_MS), timeZone)) {
    for (let ms = stretch.from; ms < stretch.to; ms += QUARTER_MS) {
      const hours = Math.floor((ms + stretch.offsetMs - MONDAY_MS) / HOUR_MS);
      const hour = week[((hours % WEEK_HOURS) + WEEK_HOURS) % WEEK_HOURS];
      if (hour === undefined) continue;
      const { arrivals, departures, insideMs } = byQuarter.get(ms / QUARTER_MS) ?? NOTHING;
      hour.quarters++;
      hour.arrivals += arrivals;
      hour.departures += departures;
      hour.inside += Math.max(0, cars + insideMs / QUARTER_MS);
      cars += arrivals - departures;
    }
  }
  return cars;
}

const NOTHING = { arrivals: 0, departures: 0, insideMs: 0 };

function quarterOf(at: UtcTime): number {
  return Math.floor(millis(at) / QUARTER_MS);
}
