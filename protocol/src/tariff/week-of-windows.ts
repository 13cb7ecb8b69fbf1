import { minuteOfDay } from '../site-time.ts';
import type { TariffBand, TariffWindow } from './tariff.ts';

const DAY_MINUTES = 24 * 60;
const WEEK_MINUTES = 7 * DAY_MINUTES;

/** The indexes of bands whose whole time is covered by bands before them. */
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
 * The min minutes between two windows; null if they apply to certain dates only.
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
function* minutesOf({ weekdays, startTime, endTime }: TariffWindow): Generator<number> {
  const opens = minuteOfDay(startTime);
  const last = minuteOfDay(endTime);
  const length = (last < opens ? last + DAY_MINUTES : last) - opens + 1;
  for (let day = 1; day <= 7; day++) {
    if (weekdays && !weekdays.includes(day)) continue;
    const from = (day - 1) * DAY_MINUTES + opens;
    for (let minute = from; minute < from + length; minute++) yield minute % WEEK_MINUTES;
  }
}
