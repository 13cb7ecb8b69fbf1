import type { Clock } from '@hlid/node/clock';
import { RetryPause } from '@hlid/node/retry-pause';
import { messageOf } from '@hlid/protocol/fault';
import type { CameraDocument } from '@hlid/protocol/plate-read';
import type { Logger } from 'pino';
import type { CameraConfig } from '../config.ts';
import { LOG_EVENTS } from '../events.ts';
import type { OnvifDevices } from '../onvif/onvif-devices.ts';
import type { CameraWatch } from './camera-watch.ts';
import { plateDocuments, plateTopics } from './onvif-plate.ts';
import type { ReadDesk } from './read-desk.ts';

/** Reads plates from cameras that are asked, instead of posting by themselves. */
export interface OnvifSource {
  /** Resolves when every document that has come is on the disk, or given up. */
  stop(): Promise<void>;
}

/** Nobody sends an event again: a database that is busy is waited for, but the car is not there for ever. */
const TRIED_FOR_MS = 30_000;
const AGAIN = { firstMs: 100, maxMs: 5000 };

/** To be made before the devices begin to read. */
export function createOnvifSource(parts: {
  cameras: readonly CameraConfig[];
  devices: OnvifDevices;
  desk: ReadDesk;
  watch: CameraWatch;
  clock: Clock;
  log: Logger;
}): OnvifSource {
  const { desk, watch, clock, log } = parts;
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();

  async function hand(cameraId: string, document: CameraDocument, receivedAt: Date): Promise<void> {
    watch.documentArrived(cameraId, document, receivedAt);
    const pause = new RetryPause(AGAIN);
    for (;;) {
      try {
        await desk.take(cameraId, document, receivedAt);
        return;
      } catch (error) {
        if (stopping.signal.aborted || clock.now().getTime() - receivedAt.getTime() > TRIED_FOR_MS) {
          log.error({ event: LOG_EVENTS.onvifReadLost, cameraId, reason: messageOf(error), err: error });
          return;
        }
      }
      await new Promise((resolve) => setTimeout(resolve, pause.nextMs()));
    }
  }

  for (const { id: cameraId, onvif } of parts.cameras) {
    if (!onvif) continue;
    const { plates: vendor, ...options } = onvif;
    const device = parts.devices.at(options);
    /** One event after the other, in the order in which they came. */
    let queue: Promise<void> = Promise.resolve();
    device.listen({
      topics: plateTopics(vendor),
      onEvents(events, deviceTime) {
        const receivedAt = clock.now();
        for (const document of plateDocuments(events, { vendor, deviceTime, receivedAt })) {
          queue = queue.then(() => hand(cameraId, document, receivedAt));
          underWay.add(queue);
          const done = queue;
          void queue.then(() => underWay.delete(done));
        }
      },
      onAlive: () =>
        watch.documentArrived(
          cameraId,
          { kind: 'onvif', reads: [], heartbeat: true, pictures: [] },
          clock.now(),
        ),
      onTrigger: (trigger) => log.debug({ event: LOG_EVENTS.onvifTrigger, cameraId, ...trigger }),
    });
  }

  return {
    async stop() {
      stopping.abort();
      await Promise.all(underWay);
    },
  };
}
