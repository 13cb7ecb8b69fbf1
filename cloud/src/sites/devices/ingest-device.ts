import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { isAlarm } from '@hlid/protocol/records/device';
import type { SiteEventBody } from '@hlid/protocol/site-link/site-event';
import type { Tx } from '../../platform/db/db.ts';
import { addChange, findDevice, removeDevice, writeDevice } from '../../records/devices/device-store.ts';
import { recordEvent } from '../../records/integration-events/record-event.ts';
import { countDeviceFault } from '../../records/totals/count-stay.ts';
import { subjectOf } from './device.ts';

type DeviceChanged = Extract<SiteEventBody, { type: 'device.changed' }>;

/** Takes over how a device of a site is, and lets integrators know of an alarm that rises, changes or ends. */
export async function ingestDevice(
  tx: Tx,
  { siteId, at }: { siteId: string; at: UtcTime },
  { kind, deviceId, name, state, detail, since }: DeviceChanged,
): Promise<void> {
  const key = { siteId, kind, deviceId };
  const before = await findDevice(tx.q, key);
  if (state === 'gone') await removeDevice(tx.q, key);
  else {
    const mailedState = isAlarm(state) ? (before?.mailedState ?? null) : null;
    await writeDevice(tx.q, { ...key, name: name ?? null, state, since, detail, at, mailedState });
    if (before?.state !== state) await addChange(tx.q, { ...key, state, detail, at });
  }
  const was = before !== null && isAlarm(before.state);
  const is = isAlarm(state);
  if (before?.state === state || (!was && !is)) return;
  if (is && !was) await countDeviceFault(tx.q, siteId, at);
  const type = is ? 'device.alarm' : 'device.recovered';
  await recordEvent(tx, { type, subjectId: subjectOf({ kind, deviceId }), siteId, at });
}
