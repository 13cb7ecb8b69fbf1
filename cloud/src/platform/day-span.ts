import { DAY_MS } from '@hlid/protocol/base/durations';
import { dailyWindow, evenStretches, wallClock } from '@hlid/protocol/base/site-time';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';

const WHOLE_DAY = { startTime: '00:00', endTime: '23:59' };

/** The last moment that is written with four digits: as text, all others that are sort before it. */
const LAST: UtcTime = '9999-12-31T23:59:59.999Z';

interface DaySpan {
  from: UtcTime;
  /** The end, which is not included. */
  before: UtcTime;
}

/** The same few days are asked for again and again, and take some working out. */
const known = new Map<string, DaySpan>();
const KEPT_DAYS = 1000;

/** The beginning and the end of a calendar day (`YYYY-MM-DD`) in a time zone. */
export function daySpan(day: string, timeZone: string): DaySpan {
  const key = `${day} ${timeZone}`;
  const span = known.get(key) ?? spanOf(day, timeZone);
  if (known.size >= KEPT_DAYS) known.clear();
  known.set(key, span);
  return span;
}

function spanOf(day: string, timeZone: string): DaySpan {
  const midnight = millis(`${day}T00:00:00.000Z`);
  // No zone is a whole day away from UTC.
  const around = [utcTime(midnight - DAY_MS), utcTime(midnight + 2 * DAY_MS)] as const;
  // A day on which the clocks are changed comes in pieces.
  const pieces = [...dailyWindow(...around, WHOLE_DAY, timeZone)].filter(
    ({ from }) => wallClock(from, timeZone).date === day,
  );
  const [first, last] = [pieces[0], pieces.at(-1)];
  // Samoa had no 30 December 2011: nothing happened on it.
  if (first === undefined || last === undefined) return { from: around[0], before: around[0] };
  return { from: first.from, before: atMostLast(last.to) };
}

/**
 * The ends of the days of a span, in milliseconds, as `daySpan` has them. For a year at once: the zone is asked only for
 * the changes of its clocks.
 */
export function dayEnds(
  { from, to }: { from: string; to: string },
  timeZone: string,
): (day: string) => number {
  const end = millis(`${to}T00:00:00.000Z`) + 3 * DAY_MS;
  const begin = millis(`${from}T00:00:00.000Z`) - 2 * DAY_MS;
  const stretches = [...evenStretches(utcTime(begin), utcTime(end), timeZone)];
  return (day) => {
    const midnight = millis(`${day}T00:00:00.000Z`) + DAY_MS;
    // Where the clocks go back over midnight, the last midnight counts.
    const stretch = stretches.findLast(({ from: first, to: last, offsetMs }) => {
      return midnight - offsetMs > first && midnight - offsetMs <= last;
    });
    if (stretch !== undefined) return midnight - stretch.offsetMs;
    // The clocks skip midnight, or reach it: the day ends when they do.
    return stretches.find(({ from: first, offsetMs }) => midnight - offsetMs <= first)?.from ?? midnight;
  };
}

function atMostLast(at: UtcTime): UtcTime {
  return at.startsWith('+') ? LAST : at;
}

/** The period of a query, by days or moments; both are included, `before` is not. */
export function askedPeriod(
  { first, last }: { first: string | undefined; last: string | undefined },
  timeZone: string,
): { from: UtcTime | undefined; before: UtcTime | undefined } {
  return {
    from: first !== undefined && isDay(first) ? daySpan(first, timeZone).from : first,
    before:
      last === undefined || isDay(last)
        ? last && daySpan(last, timeZone).before
        : // To the millisecond, as all times are.
          atMostLast(utcTime(millis(last) + 1)),
  };
}

function isDay(text: string): boolean {
  return text.length === 'YYYY-MM-DD'.length;
}
