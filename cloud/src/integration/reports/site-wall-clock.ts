import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { wallClock } from '@hlid/protocol/base/site-time';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';

/** Clocks are changed, where they are, at a quarter of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;
/** A year of quarters is 35,000. */
const KEPT_QUARTERS = 50_000;

/**
 * The time on the wall clock at a moment, as milliseconds of a calendar without zones (those of UTC at that
 * reading). For hundreds of thousands of moments: the offset of a zone is computed once for each quarter.
 */
export function siteWallClock(): (at: UtcTime, timeZone: string) => number {
  const zones = new Map<string, Map<number, number>>();
  return (at, timeZone) => {
    const offsets = zones.get(timeZone) ?? new Map<number, number>();
    zones.set(timeZone, offsets);
    const ms = millis(at);
    const quarter = Math.floor(ms / QUARTER_MS);
    const known = offsets.get(quarter);
    if (known !== undefined) return ms + known;
    if (offsets.size >= KEPT_QUARTERS) offsets.clear();
    const offset = offsetAt(quarter * QUARTER_MS, timeZone);
    offsets.set(quarter, offset);
    return ms + offset;
  };
}

function offsetAt(ms: number, timeZone: string): number {
  const { date, minute } = wallClock(utcTime(ms), timeZone);
  return Date.parse(`${date}T00:00:00.000Z`) + minute * MINUTE_MS - ms;
}
