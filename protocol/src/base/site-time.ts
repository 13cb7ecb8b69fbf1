import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import { DAY_MINUTES, DAY_MS, MINUTE_MS } from './durations.ts';
import { wrong } from './mistakes/mistake.ts';
import { millis, type UtcTime, utcTime } from './utc-time.ts';

/** An IANA time zone that this machine knows, such as `Atlantic/Reykjavik`. */
export const TimeZoneSchema = z
  .string()
  .max(64, { abort: true })
  .refine(isTimeZone, wrong('time-zone'))
  .meta({ id: 'TimeZone' });

/** A time of day on the wall clock, `HH:MM`. */
export const WallTimeSchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, wrong('time-of-day-form'));

/** The end of a daily window: a time of day, or `24:00`, the midnight at its end. */
export const WallEndSchema = z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, wrong('time-of-day-form'));

/** A day of a site's calendar, `YYYY-MM-DD`. */
export const LocalDaySchema = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, wrong('local-day-form'))
  .refine(isCalendarDay, wrong('no-such-day'));

/** The first moment of a day at a site. Where the clocks skip midnight, it is the first moment after the gap. */
export function startOfLocalDay(day: string, timeZone: string): UtcTime {
  return utcTime(Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds);
}

/** The moment of a local time `YYYY-MM-DDTHH:MM:SS`. Of an hour that the clocks repeat, it is the first. */
export function localMoment(local: string, timeZone: string): UtcTime {
  return utcTime(Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone).epochMilliseconds);
}

/** The wall clock and the calendar of a site at a moment. */
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

/**
 * The last minute of a daily window, counted from the midnight before it opens. The minute of its end is included, but
 * an end of 00:00 or 24:00 is midnight, as on signs.
 */
export function lastMinuteOf({ startTime, endTime }: { startTime: string; endTime: string }): number {
  const opens = minuteOfDay(startTime);
  const ends = minuteOfDay(endTime);
  if (ends % DAY_MINUTES === 0) return DAY_MINUTES - 1;
  return ends < opens ? ends + DAY_MINUTES : ends;
}

/** Minutes since midnight of `HH:MM`. */
export function minuteOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

/** One day's opening of a daily window, or the part of it that was asked for. */
export interface WindowOpening {
  from: UtcTime;
  /** The end of the span, which is not included. */
  to: UtcTime;
  /** The weekday on which it opens: 1 Monday to 7 Sunday. */
  weekday: number;
  /** The day on which it opens, counted from 1 January 1970 on the wall. */
  day: number;
}

/**
 * The spans from `from` until before `to` in which the wall clock of the site is within a daily window, in
 * order. The last minute (`lastMinuteOf`) is included; a window with an end before its start crosses
 * midnight. A window during which the clocks are changed comes in pieces.
 */
export function* dailyWindow(
  from: UtcTime,
  to: UtcTime,
  window: { startTime: string; endTime: string },
  timeZone: string,
): Generator<WindowOpening> {
  const opensMs = minuteOfDay(window.startTime) * MINUTE_MS;
  const closesMs = (lastMinuteOf(window) + 1) * MINUTE_MS;
  for (const stretch of evenStretches(from, to, timeZone)) {
    const { offsetMs } = stretch;
    const firstDay = Math.floor((stretch.from + offsetMs) / DAY_MS) - 1;
    for (let day = firstDay; day * DAY_MS + opensMs - offsetMs < stretch.to; day++) {
      const opening = Math.max(day * DAY_MS + opensMs - offsetMs, stretch.from);
      const closing = Math.min(day * DAY_MS + closesMs - offsetMs, stretch.to);
      if (opening < closing) {
        yield { from: utcTime(opening), to: utcTime(closing), weekday: weekdayOf(day), day };
      }
    }
  }
}

/** Whether a daily window is open day and night. */
export function isAlwaysOpen(window: { startTime: string; endTime: string }): boolean {
  return lastMinuteOf(window) + 1 - minuteOfDay(window.startTime) === DAY_MINUTES;
}

/** Stretches between two changes of the clocks: within one, every day of the wall clock is as long as any other. */
export function* evenStretches(
  from: UtcTime,
  to: UtcTime,
  timeZone: string,
): Generator<{ from: number; to: number; offsetMs: number }> {
  const end = millis(to);
  let at = Temporal.Instant.from(from).toZonedDateTimeISO(timeZone);
  while (at.epochMilliseconds < end) {
    const next = at.getTimeZoneTransition('next');
    const until = Math.min(next?.epochMilliseconds ?? end, end);
    yield { from: at.epochMilliseconds, to: until, offsetMs: at.offsetNanoseconds / 1e6 };
    if (next === null) return;
    at = next;
  }
}

/** The weekday of a day counted from 1 January 1970, a Thursday. */
function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/** Whether the calendar has a day `YYYY-MM-DD`. */
export function isCalendarDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
