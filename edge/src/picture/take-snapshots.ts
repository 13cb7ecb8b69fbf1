import type { Clock } from '@hlid/node/clock';
import { withTimeout } from '@hlid/node/with-timeout';
import { messageOf } from '@hlid/protocol/fault';
import type { ReadPicture } from '@hlid/protocol/plate-read';
import { MINUTE_MS } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import { type CameraConfig, onvifOptions } from '../config.ts';
import { LOG_EVENTS } from '../events.ts';
import type { OnvifDevices } from '../onvif/onvif-devices.ts';
import type { OnvifSession } from '../onvif/onvif-session.ts';
import { fetchSnapshot, findSnapshot, type Snapshot } from '../onvif/snapshot.ts';

/** Pictures of cameras that report plates without any. */
export interface Snapshots {
  /** Whether the camera can be asked for one. */
  canTake(cameraId: string): boolean;
  /** What it sees now; null: it has none to give, or is too slow, since the vehicle is gone then. */
  take(cameraId: string): Promise<ReadPicture | null>;
}

const PATIENCE_MS = 5000;
/** A device that has no picture to give is not asked again for every car. */
const ASKED_AGAIN_MS = 30 * MINUTE_MS;

export function createSnapshots(parts: {
  cameras: readonly CameraConfig[];
  devices: Pick<OnvifDevices, 'at'>;
  clock: Clock;
  log: Logger;
  patienceMs?: number;
}): Snapshots {
  const { clock, log, patienceMs = PATIENCE_MS } = parts;
  const sessions = new Map<string, OnvifSession>();
  for (const camera of parts.cameras) {
    const options = onvifOptions(camera);
    if (options) sessions.set(camera.id, parts.devices.at(options).session);
  }
  const addresses = new Map<string, string>();
  const notAskedUntil = new Map<string, number>();
  const busy = new Set<string>();

  /** The address is asked for once; a device that was set up anew has another one. */
  async function snapshotOf(cameraId: string, session: OnvifSession): Promise<Snapshot> {
    const known = addresses.get(cameraId);
    if (known !== undefined) {
      const snapshot = await fetchSnapshot(session, known);
      if (snapshot.ok) return snapshot;
      addresses.delete(cameraId);
    }
    const found = await findSnapshot(session);
    if (!found.ok) return found;
    const snapshot = await fetchSnapshot(session, found.uri);
    if (snapshot.ok) addresses.set(cameraId, found.uri);
    return snapshot;
  }

  return {
    canTake: (cameraId) =>
      sessions.has(cameraId) && clock.now().getTime() >= (notAskedUntil.get(cameraId) ?? 0),
    async take(cameraId) {
      const session = sessions.get(cameraId);
      if (!session || busy.has(cameraId)) return null;
      busy.add(cameraId);
      const taking = snapshotOf(cameraId, session)
        .catch((error: unknown): Snapshot => ({ ok: false, message: messageOf(error) }))
        .finally(() => busy.delete(cameraId));
      const snapshot = await withTimeout(taking, patienceMs, () => null);
      if (snapshot?.ok) {
        const { picture } = snapshot;
        return {
          kind: 'overview',
          contentType: 'image/jpeg',
          base64: Buffer.from(picture.buffer, picture.byteOffset, picture.length).toString('base64'),
        };
      }
      notAskedUntil.set(cameraId, clock.now().getTime() + (snapshot ? ASKED_AGAIN_MS : 0));
      log.warn({ event: LOG_EVENTS.snapshotFailed, cameraId, reason: snapshot?.message ?? 'too slow' });
      return null;
    },
  };
}
