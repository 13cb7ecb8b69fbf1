import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { daySpan } from '../../platform/day-span.ts';
import type { DeviceRow } from '../../records/devices/device-store.ts';
import type { DaySpan } from './overview-spans.ts';

/** The part of an outage that goes on within a span of days, which no total has yet; null: there is none. */
export function openOutage(
  { downSince }: Pick<DeviceRow, 'downSince'>,
  { from, to }: DaySpan,
  timeZone: string,
  now: UtcTime,
): { from: UtcTime; before: UtcTime } | null {
  if (downSince === null) return null;
  const begin = Math.max(millis(downSince), millis(daySpan(from, timeZone).from));
  const end = Math.min(millis(now), millis(daySpan(to, timeZone).before));
  return begin < end ? { from: utcTime(begin), before: utcTime(end) } : null;
}

export function minutesOf(ms: number): number {
  return Math.round(ms / MINUTE_MS);
}
