import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import { daySpan } from '../../platform/day-span.ts';
import type { StayFigures } from './overview-report.ts';
import type { DaySpan } from './overview-spans.ts';
import type { DayTotal } from './overview-store.ts';

/** The days of sites of one time zone. */
export interface CountedDays {
  timeZone: string;
  /** In order. */
  days: readonly DayTotal[];
  /** Cars inside at the beginning of the first day that is asked for. */
  insideBefore: number;
}

/** The figures of a span of days of sites in several time zones: the averages of each are added. */
export function stayFigures(zones: readonly CountedDays[], span: DaySpan, now: UtcTime): StayFigures {
  const days = zones.flatMap((zone) => zone.days.filter(isWithin(span)));
  const sum = (name: Exclude<keyof DayTotal, 'day'>) => days.reduce((total, day) => total + day[name], 0);
  const departures = sum('departures');
  const inside = zones.map((zone) => insideOf(zone, span, now)).filter((cars) => cars !== null);
  return {
    arrivals: sum('arrivals'),
    departures,
    inside: inside.length === 0 ? null : rounded(inside.reduce((total, cars) => total + cars, 0)),
    stayMinutes: departures === 0 ? null : rounded(sum('stayMinutes') / departures),
    automatic: sum('automatic'),
    permitStays: sum('permitStays'),
    exits: sum('exits'),
    doubtfulExits: sum('doubtfulExits'),
    deviceFaults: sum('deviceFaults'),
  };
}

/** The average number of cars inside, as far as the days are over; null: they have not begun. */
function insideOf({ timeZone, days, insideBefore }: CountedDays, span: DaySpan, now: UtcTime): number | null {
  const begin = millis(daySpan(span.from, timeZone).from);
  const end = Math.min(millis(daySpan(span.to, timeZone).before), millis(now));
  if (begin >= end) return null;
  let inside = insideBefore;
  let carMs = 0;
  for (const { day, arrivals, departures, insideMs } of days) {
    const grown = arrivals - departures;
    if (day < span.from) inside += grown;
    // A day counts its cars until its own end.
    else if (day <= span.to) carMs += insideMs + grown * (end - millis(daySpan(day, timeZone).before));
  }
  return Math.max(0, (carMs + inside * (end - begin)) / (end - begin));
}

function isWithin({ from, to }: DaySpan): (one: DayTotal) => boolean {
  return ({ day }) => day >= from && day <= to;
}

function rounded(average: number): number {
  return Math.round(average * 100) / 100;
}
