import { DAY_MS } from '@hlid/protocol/base/durations';
import { wallClock } from '@hlid/protocol/base/site-time';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { daySpan } from '../../platform/day-span.ts';
import type { Queries } from '../../platform/db/db.ts';
import { preparedInsert } from '../../platform/db/prepared-insert.ts';
import { sql } from '../../platform/db/sql.ts';
import type { DeviceKey } from '../devices/device-store.ts';
import { countDeviceFault } from './count-stay.ts';
import { timeZoneOf } from './site-days.ts';
import { deviceDayTable as t } from './traffic-table.ts';

/**
 * The longest outage that is counted; of a longer one the last part counts, since its beginning is a wrong
 * clock.
 */
const MAX_OUTAGE_MS = 366 * DAY_MS;

const addDeviceDay = preparedInsert(t, {
  target: [t.siteId, t.day, t.kind, t.deviceId],
  set: {
    faults: sql`${t.faults} + excluded.faults`,
    downMs: sql`${t.downMs} + excluded.down_ms`,
  },
});

/** Counts a device that began to fail, in the totals of its site and in its own. */
export async function countFault(
  q: Queries,
  { siteId, kind, deviceId }: DeviceKey,
  at: UtcTime,
): Promise<void> {
  await countDeviceFault(q, siteId, at);
  const day = wallClock(at, await timeZoneOf(q, siteId)).date;
  await addDeviceDay(q, { siteId, day, kind, deviceId, faults: 1, downMs: 0 });
}

/** Counts an outage that ended, on each of its days. */
export async function countOutage(
  q: Queries,
  { siteId, kind, deviceId }: DeviceKey,
  outage: { from: UtcTime; before: UtcTime },
): Promise<void> {
  const timeZone = await timeZoneOf(q, siteId);
  for (const { day, downMs } of daysOfOutage(outage, timeZone)) {
    await addDeviceDay(q, { siteId, day, kind, deviceId, faults: 0, downMs });
  }
}

/** The milliseconds of each day on which a device was down. */
export function* daysOfOutage(
  { from, before }: { from: UtcTime; before: UtcTime },
  timeZone: string,
): Generator<{ day: string; downMs: number }> {
  const end = millis(before);
  let at = Math.max(millis(from), end - MAX_OUTAGE_MS);
  while (at < end) {
    const day = wallClock(utcTime(at), timeZone).date;
    const until = Math.min(end, millis(daySpan(day, timeZone).before));
    yield { day, downMs: until - at };
    at = until;
  }
}
