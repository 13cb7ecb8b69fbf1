import { wallClock } from '@hlid/protocol/base/site-time';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import { daySpan } from '../../platform/day-span.ts';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { eqPlaceholder } from '../../platform/db/sql.ts';
import { siteTable } from '../sites/site-table.ts';
import { type Counters, QUARTER_MS } from './stay-totals.ts';

const zoneOf = prepared((q) =>
  q
    .select({ timeZone: siteTable.timeZone })
    .from(siteTable)
    .where(eqPlaceholder(siteTable.id, 'id'))
    .prepare(),
);

export async function timeZoneOf(q: Queries, siteId: string): Promise<string> {
  return (await zoneOf(q).get({ id: siteId }))?.timeZone ?? 'UTC';
}

/** A day of a site, and the quarter after its last one. */
interface SiteDay {
  day: string;
  end: number;
}

/** Cars come and go in a few quarters at a time, and a day takes some working out. */
const known = new Map<string, SiteDay>();
const KEPT_QUARTERS = 5000;

/** The day of a quarter of an hour where a site is. */
export function dayOfQuarter(quarter: number, timeZone: string): SiteDay {
  const key = `${quarter} ${timeZone}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const day = wallClock(utcTime(quarter * QUARTER_MS), timeZone).date;
  const made = { day, end: Math.round(millis(daySpan(day, timeZone).before) / QUARTER_MS) };
  if (known.size >= KEPT_QUARTERS) known.clear();
  known.set(key, made);
  return made;
}

/** Counters of a quarter as its day has them: the cars that stayed are inside until the end of the day. */
export function countersOfDay(counters: Counters, quarter: number, end: number): Counters {
  const grown = counters.arrivals - counters.departures;
  return { ...counters, insideMs: counters.insideMs + grown * (end - quarter - 1) * QUARTER_MS };
}
