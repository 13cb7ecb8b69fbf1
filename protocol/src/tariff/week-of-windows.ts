import { DAY_MINUTES } from '../base/durations.ts';
import { lastMinuteOf, minuteOfDay } from '../base/site-time.ts';
import type { TariffBand, TariffWindow } from './tariff-shape.ts';

const WEEK_MINUTES = 7 * DAY_MINUTES;

/** The indexes of bands with their whole time covered by earlier bands. */
export function bandsNeverReached(bands: readonly TariffBand[]): number[] {
  const taken = new Set<number>();
  return bands.flatMap(({ window }, at) => {
    if (window === undefined) return taken.size === WEEK_MINUTES ? [at] : [];
    const minutes = [...minutesOf(window)];
    // A band without a minute of the week is reported elsewhere.
    const isReached = minutes.length === 0 || minutes.some((minute) => !taken.has(minute));
    // A band of some dates only covers nothing on other dates.
    if (!window.dates && !window.holidays) for (const minute of minutes) taken.add(minute);
    return isReached ? [] : [at];
  });
}

/**
 * The smallest number of minutes between two windows; null: they apply to certain dates only.
 *
 * @returns a limit that a stay from one to the other always exceeds, at least by a moment
 */
export function shortestBetween(entry: TariffWindow, exit: TariffWindow): number | null {
  if (entry.dates || exit.dates) return null;
  const entries = new Set(minutesOf(entry));
  const exits = new Set(minutesOf(exit));
  let shortest = Infinity;
  let entered = -Infinity;
  for (let minute = 0; minute < 2 * WEEK_MINUTES; minute++) {
    const isEntry = entries.has(minute % WEEK_MINUTES);
    if (exits.has(minute % WEEK_MINUTES)) shortest = Math.min(shortest, isEntry ? 0 : minute - entered - 1);
    if (isEntry) entered = minute;
  }
  return shortest;
}

/** The minutes of a week that a window has, from Monday 00:00. */
function* minutesOf(window: TariffWindow): Generator<number> {
  const { weekdays, startTime } = window;
  const opens = minuteOfDay(startTime);
  const length = lastMinuteOf(window) - opens + 1;
  for (let day = 1; day <= 7; day++) {
    if (weekdays && !weekdays.includes(day)) continue;
    const from = (day - 1) * DAY_MINUTES + opens;
    for (let minute = from; minute < from + length; minute++) yield minute % WEEK_MINUTES;
  }
}

/** Part of a day of the week, `from` and `to` as `HH:MM`; `to` is not included, `24:00` is midnight. */
export interface WeekSpan {
  weekday: number;
  from: string;
  to: string;
}

/**
 * Times of the week that two bands share on the same days, unless one of them has the other's whole hours.
 * The first band applies there, which may be a mistake. A band within another one is intended, and so is a
 * meeting of two.
 */
export function windowOverlaps(
  bands: readonly TariffBand[],
): { first: number; second: number; at: WeekSpan }[] {
  return bands.flatMap((second, at) =>
    bands.slice(0, at).flatMap((first, before) => {
      if (!first.window || !second.window || !haveSameDays(first.window, second.window)) return [];
      const minutes = new Set(minutesOf(first.window));
      const others = [...minutesOf(second.window)];
      const shared = others.filter((minute) => minutes.has(minute));
      if (shared.length === minutes.size || shared.length === others.length) return [];
      // A minute alone is where the two meet.
      const spans = spansOf(shared).filter(({ length }) => length > 1);
      const [longest] = spans.toSorted((a, b) => b.length - a.length);
      return longest === undefined ? [] : [{ first: before, second: at, at: weekSpan(longest) }];
    }),
  );
}

/** Times of the week without a band, where several bands have windows: they are free. */
export function windowGaps(bands: readonly TariffBand[]): WeekSpan[] {
  if (bands.length < 2) return [];
  const taken = new Set<number>();
  for (const { window } of bands) {
    if (window === undefined || window.dates || window.holidays) return [];
    for (const minute of minutesOf(window)) taken.add(minute);
  }
  const free = [...Array(WEEK_MINUTES).keys()].filter((minute) => !taken.has(minute));
  return spansOf(free).map(weekSpan);
}

/**
 * The early hours of a day of the window that belong to a night of another day, which is not among its days; null: there
 * are none. A night belongs to the day on which it begins.
 *
 * @param others windows with these hours: what they have is meant for them
 */
export function nightOfOtherDay(
  window: TariffWindow,
  others: readonly TariffWindow[],
): { weekday: number; to: string; before: number } | null {
  const { weekdays, endTime } = window;
  const early = lastMinuteOf(window) - DAY_MINUTES + 1;
  if (weekdays === undefined || early <= 0) return null;
  const elsewhere = new Set(others.flatMap((other) => [...minutesOf(other)]));
  for (let weekday = 1; weekday <= 7; weekday++) {
    const before = weekday === 1 ? 7 : weekday - 1;
    if (!weekdays.includes(weekday) || weekdays.includes(before)) continue;
    const midnight = (weekday - 1) * DAY_MINUTES;
    const minutes = Array.from({ length: early }, (_, minute) => midnight + minute);
    if (minutes.some((minute) => !elsewhere.has(minute))) return { weekday, to: endTime, before };
  }
  return null;
}

function haveSameDays(one: TariffWindow, other: TariffWindow): boolean {
  const daysOf = ({ weekdays, dates, holidays }: TariffWindow) =>
    JSON.stringify([weekdays?.toSorted() ?? [1, 2, 3, 4, 5, 6, 7], dates, holidays]);
  return daysOf(one) === daysOf(other);
}

/** Runs of minutes of the week, cut at midnight. */
function spansOf(minutes: readonly number[]): { from: number; length: number }[] {
  const spans: { from: number; length: number }[] = [];
  for (const minute of [...new Set(minutes)].toSorted((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last && minute === last.from + last.length && minute % DAY_MINUTES !== 0) last.length++;
    else spans.push({ from: minute, length: 1 });
  }
  return spans;
}

function weekSpan({ from, length }: { from: number; length: number }): WeekSpan {
  const begins = from % DAY_MINUTES;
  return { weekday: Math.floor(from / DAY_MINUTES) + 1, from: clock(begins), to: clock(begins + length) };
}

function clock(minute: number): string {
  const hour = `${Math.floor(minute / 60)}`.padStart(2, '0');
  return `${hour}:${`${minute % 60}`.padStart(2, '0')}`;
}
