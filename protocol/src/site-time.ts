import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import { type UtcTime, utcTime } from './utc-time.ts';

/** An IANA time zone that this machine knows, such as `Atlantic/Reykjavik`. */
export const TimeZoneSchema = z
  .string()
  .refine(isTimeZone, 'an IANA time zone such as Atlantic/Reykjavik')
  .meta({ id: 'TimeZone' });

/** A time of day on the wall clock, `HH:MM`. */
export const WallTimeSchema = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day such as 08:30')
  .meta({ id: 'WallTime' });

/** What the wall clock and the calendar of a site show at a moment. */
export interface WallClock {
  /** `YYYY-MM-DD` */
  date: string;
  /** Minutes since midnight, 0 to 1439. */
  minute: number;
  /** 1 Monday to 7 Sunday, as ISO 8601. */
  weekday: number;
}

export function wallClock(at: UtcTime, timeZone: string): WallClock {
  const local = Temporal.Instant.from(at).toZonedDateTimeISO(timeZone);
  return {
    date: local.toPlainDate().toString(),
    minute: local.hour * 60 + local.minute,
    weekday: local.dayOfWeek,
  };
}

/** Minutes since midnight of `HH:MM`. */
export function minuteOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

/** One day's opening of a daily window. */
export interface WindowOpening {
  from: UtcTime;
  to: UtcTime;
  /** Of the day on which it opens: 1 Monday to 7 Sunday. */
  weekday: number;
}

/**
 * The openings of a daily window, by the wall clock of the site, that share a moment with [from, to].
 * The last minute is included (23:59 lasts until midnight); a window whose end is before its start crosses midnight.
 */
export function* dailyWindow(
  from: UtcTime,
  to: UtcTime,
  window: { startTime: string; endTime: string },
  timeZone: string,
): Generator<WindowOpening> {
  const start = Temporal.Instant.from(from).toZonedDateTimeISO(timeZone);
  const lastDay = Temporal.Instant.from(to).toZonedDateTimeISO(timeZone).toPlainDate();
  const opens = Temporal.PlainTime.from(window.startTime);
  const closes = Temporal.PlainTime.from(window.endTime);
  const crossesMidnight = Temporal.PlainTime.compare(closes, opens) < 0;
  for (
    let day = start.toPlainDate().subtract({ days: 1 });
    Temporal.PlainDate.compare(day, lastDay) <= 0;
    day = day.add({ days: 1 })
  ) {
    const closingDay = crossesMidnight ? day.add({ days: 1 }) : day;
    const opening = {
      from: utcTime(day.toZonedDateTime({ timeZone, plainTime: opens }).epochMilliseconds),
      to: utcTime(
        closingDay.toZonedDateTime({ timeZone, plainTime: closes }).add({ minutes: 1 }).epochMilliseconds,
      ),
      weekday: day.dayOfWeek,
    };
    if (opening.from <= to && from < opening.to) yield opening;
  }
}

/** Whether any moment of [from, to] lies in the daily window. */
export function touchesDailyWindow(
  from: UtcTime,
  to: UtcTime,
  window: { startTime: string; endTime: string },
  timeZone: string,
): boolean {
  return !dailyWindow(from, to, window, timeZone).next().done;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
