import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import { minutesOf } from './device-outages.ts';
import type { StayFigures } from './overview-report.ts';
import type { DaySpan } from './overview-spans.ts';
import type { DayTotal } from './overview-store.ts';

/** The days of sites of one time zone. */
export interface CountedDays {
  /** The days in order, from the first to the last that is requested. */
  days: readonly DayTotal[];
  /** Cars inside at the beginning of the first day that is asked for. */
  insideBefore: number;
  /** When a day ends, in milliseconds. */
  endOf: (day: string) => number;
}

/** The figures of a span of days of sites in several time zones: the averages of each are added. */
export function stayFigures(zones: readonly CountedDays[], span: DaySpan, now: UtcTime): StayFigures {
  const days = zones.flatMap((zone) => zone.days);
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
    deviceDownMinutes: minutesOf(sum('downMs')),
  };
}

/** The same of each of several periods, which follow each other. */
export function figuresOfPeriods(
  zones: readonly CountedDays[],
  periods: readonly DaySpan[],
  now: UtcTime,
): StayFigures[] {
  const parts = zones.map((zone) => partsOf(zone, periods));
  return periods.map((period, place) =>
    stayFigures(
      parts.flatMap((ofZone) => ofZone[place] ?? []),
      period,
      now,
    ),
  );
}

function partsOf({ days, insideBefore, endOf }: CountedDays, periods: readonly DaySpan[]): CountedDays[] {
  let inside = insideBefore;
  let at = 0;
  return periods.map(({ to }) => {
    const first = at;
    const before = inside;
    for (let day = days[at]; day !== undefined && day.day <= to; day = days[at]) {
      inside += day.arrivals - day.departures;
      at++;
    }
    return { days: days.slice(first, at), insideBefore: before, endOf };
  });
}

/** The average number of cars inside, as far as the days are over; null: they have not begun. */
function insideOf({ days, insideBefore, endOf }: CountedDays, span: DaySpan, now: UtcTime): number | null {
  const from = beginOf(span.from, endOf);
  const end = Math.min(endOf(span.to), millis(now));
  if (from >= end) return null;
  let carMs = insideBefore * (end - from);
  for (const { day, arrivals, departures, insideMs } of days) {
    // A day counts its cars until its own end.
    carMs += insideMs + (arrivals - departures) * (end - endOf(day));
  }
  return Math.max(0, carMs / (end - from));
}

/** A day begins when the one before ends. */
function beginOf(day: string, endOf: (day: string) => number): number {
  return endOf(dayAfter(day, -1));
}

function rounded(average: number): number {
  return Math.round(average * 100) / 100;
}
