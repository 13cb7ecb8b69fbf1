import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import { mendedDetail, mendedIn } from '@hlid/protocol/records/device';
import type { Tx } from '../../platform/db/db.ts';
import type { CameraRow } from '../../records/cameras/camera-store.ts';
import { findDevice, writeDevice } from '../../records/devices/device-store.ts';
import { postingCamera } from '../devices/device.ts';

const MAX_FAULTS = 10;

/**
 * Notes the mended faults of a camera that posts to the cloud itself, for the list of its site's devices.
 * They are the faults of the day before, as the edge shows them for its own cameras. They are written when
 * they change, and once an hour while they last.
 */
export async function noteMended(
  tx: Tx,
  { id, siteId, name }: Pick<CameraRow, 'id' | 'siteId' | 'name'>,
  faults: readonly string[],
  at: UtcTime,
): Promise<void> {
  const key = { siteId, ...postingCamera(id) };
  const known = await findDevice(tx.q, key);
  if (known === null && faults.length === 0) return;
  const ageMs = known === null ? 0 : millis(at) - millis(known.at);
  const before = known === null || ageMs >= DAY_MS ? [] : mendedIn(known.detail);
  const detail = mendedDetail([...new Set([...before, ...faults])].slice(0, MAX_FAULTS));
  const isOld = faults.length > 0 && ageMs >= HOUR_MS;
  if (known !== null && known.detail === detail && known.name === name && !isOld) return;
  const since = known?.since ?? at;
  const works = { state: 'ok', mailedState: null, downSince: null } as const;
  await writeDevice(tx.q, { ...key, name, since, detail, at, ...works });
}
