import { dailyWindow, wallClock } from '@hlid/protocol/site-time';
import { DAY_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';

const WHOLE_DAY = { startTime: '00:00', endTime: '23:59' };

/** From when to when a calendar day (`YYYY-MM-DD`) lasts in a time zone; `before` is not included. */
export function daySpan(day: string, timeZone: string): { from: UtcTime; before: UtcTime } {
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
  return { from: first.from, before: last.to };
}
