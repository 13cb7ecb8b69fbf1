import { dailyWindow, wallClock } from '@hlid/protocol/site-time';
import { DAY_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';

const WHOLE_DAY = { startTime: '00:00', endTime: '23:59' };

/** From when to when a calendar day (`YYYY-MM-DD`) lasts in a time zone; `before` is not included. */
export function daySpan(day: string, timeZone: string): { from: UtcTime; before: UtcTime } {
  const midnight = millis(`${day}T00:00:00.000Z`);
  // No zone is a whole day away from UTC.
  const around = [utcTime(midnight - DAY_MS), utcTime(midnight + 2 * DAY_MS)] as const;
  for (const { from, to } of dailyWindow(...around, WHOLE_DAY, timeZone)) {
    if (wallClock(from, timeZone).date === day) return { from, before: to };
  }
  throw new RangeError(`${timeZone} has no ${day}`);
}
