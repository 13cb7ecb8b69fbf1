import type { Clock } from '@hlid/node/clock';
import { pause } from '@hlid/node/pause';
import { RetryPause } from '@hlid/node/retry-pause';
import type { BackoffLimits } from '@hlid/protocol/base/backoff';
import { messageOf } from '@hlid/protocol/base/fault';
import type { CameraDocument } from '@hlid/protocol/plate/plate-read';
import type { Logger } from 'pino';
import { LOG_EVENTS } from '../base/events.ts';
import type { CameraConfig } from '../config/config.ts';
import type { OnvifDevices } from '../onvif/onvif-devices.ts';
import { plateDocuments, plateTopics } from '../onvif/onvif-plate.ts';
import type { CameraWatch } from './camera-watch.ts';
import type { ReadHandler } from './read-handler.ts';

/** An event is not sent again: a busy database is waited for, but the car does not stay for ever. */
const RETRIED_FOR_MS = 30_000;
const RETRY = { firstMs: 100, maxMs: 5000 };

/**
 * Reads plates from cameras that are polled by ONVIF, instead of posting. To be created before the devices
 * begin to read.
 */
export class OnvifSource {
  readonly #reads: Pick<ReadHandler, 'handle'>;
  readonly #watch: Pick<CameraWatch, 'documentArrived'>;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #retry: BackoffLimits;
  readonly #stopping = new AbortController();
  readonly #underWay = new Set<Promise<void>>();

  constructor(options: {
    cameras: readonly CameraConfig[];
    devices: OnvifDevices;
    reads: Pick<ReadHandler, 'handle'>;
    watch: Pick<CameraWatch, 'documentArrived'>;
    clock: Clock;
    log: Logger;
    /** The pauses between attempts to store a document. */
    retry?: BackoffLimits;
  }) {
    this.#reads = options.reads;
    this.#watch = options.watch;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#retry = options.retry ?? RETRY;
    for (const camera of options.cameras) this.#listen(camera, options.devices);
  }

  /** Resolves when every document that has come is on the disk, or given up: each gets one more attempt at once. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#underWay);
  }

  #listen({ id: cameraId, onvif }: CameraConfig, devices: OnvifDevices): void {
    if (!onvif) return;
    const { plates: vendor, ...options } = onvif;
    /** One event after the other, in the order in which they came. */
    let queue: Promise<void> = Promise.resolve();
    devices.at(options).listen({
      topics: plateTopics(vendor),
      onEvents: (events, deviceTime) => {
        const receivedAt = this.#clock.now();
        for (const document of plateDocuments(events, { vendor, deviceTime, receivedAt })) {
          const done = queue.then(() => this.#handle(cameraId, document, receivedAt));
          queue = done;
          this.#underWay.add(done);
          void done.then(() => this.#underWay.delete(done));
        }
      },
      onAlive: () => {
        const document = { kind: 'onvif', reads: [], heartbeat: true, pictures: [] };
        this.#watch.documentArrived(cameraId, document, this.#clock.now());
      },
      onTrigger: (trigger) => this.#log.debug({ event: LOG_EVENTS.onvifTrigger, cameraId, ...trigger }),
    });
  }

  async #handle(cameraId: string, document: CameraDocument, receivedAt: Date): Promise<void> {
    this.#watch.documentArrived(cameraId, document, receivedAt);
    const { signal } = this.#stopping;
    const retry = new RetryPause(this.#retry);
    for (;;) {
      try {
        await this.#reads.handle(cameraId, document, receivedAt);
        return;
      } catch (err) {
        const isTooLate = this.#clock.now().getTime() - receivedAt.getTime() > RETRIED_FOR_MS;
        if (signal.aborted || isTooLate) {
          this.#log.error({ event: LOG_EVENTS.onvifReadLost, cameraId, reason: messageOf(err), err });
          return;
        }
      }
      await pause(retry.nextMs(), { signal });
    }
  }
}
