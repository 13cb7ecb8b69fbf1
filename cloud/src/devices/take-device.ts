import { isAlarm } from '@hlid/protocol/device';
import type { SiteEventBody } from '@hlid/protocol/site-event';
import type { Tx } from '../db/db.ts';
import { recordEvent } from '../integration-events/record-event.ts';
import type { EventPlace } from '../visits/intake/ingest-visit.ts';
import { subjectOf } from './device.ts';
import { addChange, findDevice, removeDevice, writeDevice } from './device-store.ts';

type DeviceChanged = Extract<SiteEventBody, { type: 'device.changed' }>;

/** Takes over how a device of a site is, and lets integrators know of an alarm that rises, changes or ends. */
export async function takeDevice(
  tx: Tx,
  { siteId, at }: Pick<EventPlace, 'siteId' | 'at'>,
  { kind, deviceId, state, detail, since }: DeviceChanged,
): Promise<void> {
  const key = { siteId, kind, deviceId };
  const before = await findDevice(tx.q, key);
  if (state === 'gone') await removeDevice(tx.q, key);
  else {
    const mailedState = isAlarm(state) ? (before?.mailedState ?? null) : null;
    await writeDevice(tx.q, { ...key, state, since, detail, at, mailedState });
    if (before?.state !== state) await addChange(tx.q, { ...key, state, detail, at });
  }
  const was = before !== null && isAlarm(before.state);
  const is = isAlarm(state);
  if (before?.state === state || (!was && !is)) return;
  const type = is ? 'device.alarm' : 'device.recovered';
  await recordEvent(tx, { type, subjectId: subjectOf({ kind, deviceId }), siteId, at });
}
