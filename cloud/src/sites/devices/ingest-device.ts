import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { isAlarm } from '@hlid/protocol/records/device';
import type { SiteEventBody } from '@hlid/protocol/site-link/site-event';
import type { Tx } from '../../platform/db/db.ts';
import { addChange, findDevice, removeDevice, writeDevice } from '../../records/devices/device-store.ts';
import { recordEvent } from '../../records/integration-events/record-event.ts';
import { countFault, countOutage } from '../../records/totals/count-outage.ts';
import { subjectOf } from './device.ts';

type DeviceChanged = Extract<SiteEventBody, { type: 'device.changed' }>;

/**
 * Stores how a device of a site is, counts its outages, and lets integrators know of an alarm that rises, changes or ends.
 * @param arrivedAt the time of arrival by our clock, where `at` is by the clock of the site
 */
export async function ingestDevice(
  tx: Tx,
  { siteId, at, arrivedAt = at }: { siteId: string; at: UtcTime; arrivedAt?: UtcTime },
  { kind, deviceId, name, state, detail, since }: DeviceChanged,
): Promise<void> {
  const key = { siteId, kind, deviceId };
  const before = await findDevice(tx.q, key);
  const was = before !== null && isAlarm(before.state);
  const is = isAlarm(state);
  // A clock that is ahead makes no outage of the future.
  const changedAt = utcTime(Math.min(millis(since), millis(at), millis(arrivedAt)));
  const downSince = before?.downSince ?? null;
  if (downSince !== null && !is) await countOutage(tx.q, key, { from: downSince, before: changedAt });
  if (state === 'gone') await removeDevice(tx.q, key);
  else {
    const shown = { name: name ?? null, state, since, detail, at };
    const mailedState = is ? (before?.mailedState ?? null) : null;
    await writeDevice(tx.q, {
      ...key,
      ...shown,
      mailedState,
      downSince: is ? (downSince ?? changedAt) : null,
    });
    if (before?.state !== state) await addChange(tx.q, { ...key, state, detail, at });
  }
  if (before?.state === state || (!was && !is)) return;
  if (is && !was) await countFault(tx.q, key, at);
  const type = is ? 'device.alarm' : 'device.recovered';
  await recordEvent(tx, { type, subjectId: subjectOf({ kind, deviceId }), siteId, at });
}
