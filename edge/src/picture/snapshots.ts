import type { Clock } from '@hlid/node/clock';
import { withTimeout } from '@hlid/node/with-timeout';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { messageOf } from '@hlid/protocol/base/fault';
import type { ReadPicture } from '@hlid/protocol/plate/plate-read';
import type { Logger } from 'pino';
import { LOG_EVENTS } from '../base/events.ts';
import { type CameraConfig, onvifOptions, snapshotOptions } from '../config/config.ts';
import type { OnvifDevices } from '../onvif/onvif-devices.ts';
import { OnvifSession } from '../onvif/onvif-session.ts';
import { fetchPicture, fetchSnapshot, findSnapshot, type Snapshot } from '../onvif/snapshot.ts';

/** The vehicle of a read is gone after that. */
const READ_TIMEOUT_MS = 5000;
/** The pause for a camera that had no picture for a read. */
const PAUSE_AFTER_FAILURE_MS = 30 * MINUTE_MS;

/** The source of a camera's still pictures. */
interface Source {
  session: OnvifSession;
  /** The configured address; null: the camera reports it by ONVIF. */
  uri: string | null;
  /** The address that the camera reported. */
  reported: string | null;
}

/** Fetches pictures of what cameras see now: for reads that come without any, and for people. */
export class Snapshots {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #readTimeoutMs: number;
  readonly #sources = new Map<string, Source>();
  readonly #pausedUntil = new Map<string, number>();
  /** One request at a time to a camera; another caller meanwhile gets the same picture. */
  readonly #underWay = new Map<string, Promise<Snapshot>>();

  constructor(parts: {
    cameras: readonly CameraConfig[];
    devices: Pick<OnvifDevices, 'at'>;
    clock: Clock;
    log: Logger;
    readTimeoutMs?: number;
  }) {
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#readTimeoutMs = parts.readTimeoutMs ?? READ_TIMEOUT_MS;
    for (const camera of parts.cameras) {
      const plain = snapshotOptions(camera);
      const onvif = onvifOptions(camera);
      const session = plain ? new OnvifSession(plain, parts.clock) : onvif && parts.devices.at(onvif).session;
      if (session) this.#sources.set(camera.id, { session, uri: plain?.url ?? null, reported: null });
    }
  }

  /** Whether the camera has pictures to fetch. */
  has(cameraId: string): boolean {
    return this.#sources.has(cameraId);
  }

  /** Whether a read of the camera may have its picture fetched. */
  canTake(cameraId: string): boolean {
    return this.has(cameraId) && this.#clock.now().getTime() >= (this.#pausedUntil.get(cameraId) ?? 0);
  }

  /** The picture for a read; null: the camera has none, is too slow, or has a request under way. */
  async take(cameraId: string): Promise<ReadPicture | null> {
    if (!this.has(cameraId) || this.#underWay.has(cameraId)) return null;
    const snapshot = await withTimeout(this.fetch(cameraId), this.#readTimeoutMs, () => null);
    if (snapshot?.ok) {
      const { picture } = snapshot;
      return {
        kind: 'overview',
        contentType: 'image/jpeg',
        base64: Buffer.from(picture.buffer, picture.byteOffset, picture.length).toString('base64'),
      };
    }
    const pauseMs = snapshot ? PAUSE_AFTER_FAILURE_MS : 0;
    this.#pausedUntil.set(cameraId, this.#clock.now().getTime() + pauseMs);
    const reason = snapshot?.message ?? 'too slow';
    this.#log.warn({ event: LOG_EVENTS.snapshotFailed, cameraId, reason });
    return null;
  }

  /** Takes a picture with the camera now. Never throws. */
  fetch(cameraId: string): Promise<Snapshot> {
    const underWay = this.#underWay.get(cameraId);
    if (underWay) return underWay;
    const source = this.#sources.get(cameraId);
    const fetching = (source ? fetchFrom(source) : Promise.resolve(NO_SOURCE))
      .catch((error: unknown): Snapshot => ({ ok: false, reason: 'failed', message: messageOf(error) }))
      .finally(() => this.#underWay.delete(cameraId));
    this.#underWay.set(cameraId, fetching);
    return fetching;
  }
}

const NO_SOURCE: Snapshot = { ok: false, reason: 'failed', message: 'it has no address for pictures' };

/** The address is requested once; a device that was set up again has another one. */
async function fetchFrom(source: Source): Promise<Snapshot> {
  const { session, uri, reported } = source;
  if (uri !== null) return await fetchPicture(session, uri);
  const known = reported === null ? null : await fetchSnapshot(session, reported);
  if (known?.ok) return known;
  source.reported = null;
  const found = await findSnapshot(session);
  if (!found.ok) return found;
  const snapshot = await fetchSnapshot(session, found.uri);
  if (snapshot.ok) source.reported = found.uri;
  return snapshot;
}
