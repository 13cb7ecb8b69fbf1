import type { Part } from '@hlid/node/started-parts';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { LOG_EVENTS } from '../base/events.ts';
import { CameraPush } from '../camera/camera-push.ts';
import { CameraWatch } from '../camera/camera-watch.ts';
import { OnvifSource } from '../camera/onvif-source.ts';

import type { SiteParts } from './site-parts.ts';

/** The addresses at which cameras are listened to. */
export interface CameraUrls {
  cameraUrl: string;
  /** Null: cameras cannot push by https. */
  cameraTlsUrl: string | null;
}

/** The documents of cameras, by push and by ONVIF, and whether the cameras are alive. */
export class CameraInputs {
  readonly watch: CameraWatch;
  readonly #site: SiteParts;
  readonly #push: CameraPush;
  readonly #onvifSource: OnvifSource;
  #urls: CameraUrls = { cameraUrl: '', cameraTlsUrl: null };

  constructor(site: SiteParts) {
    const { config, core, context, onvif } = site;
    const { clock, log } = context;
    this.#site = site;
    this.watch = this.#createWatch();
    const ways = { cameras: config.cameras, reads: core.reads, watch: this.watch, clock, log };
    const { cameraHost: host, cameraPort: port, cameraTls } = config;
    this.#push = new CameraPush({
      ...ways,
      host,
      port,
      timeZone: config.site.timeZone,
      ...(cameraTls && site.cameraTls && { tls: { ...cameraTls, files: site.cameraTls } }),
    });
    this.#onvifSource = new OnvifSource({ ...ways, devices: onvif });
  }

  /** The addresses to which cameras push, once the server is started. */
  urls(): CameraUrls {
    return this.#urls;
  }

  /** The address from which a camera posts; null: it has not posted, or from this machine. */
  pushesFrom(cameraId: string): string | null {
    return this.#push.addressOf(cameraId);
  }

  /** The parts in the order in which they start. */
  inOrder(): Part[] {
    const { onvif } = this.#site;
    return [
      { name: 'OnvifSource', stop: () => this.#onvifSource.stop() },
      { name: 'OnvifDevices', start: () => onvif.start(), stop: () => onvif.stop() },
      { name: 'CameraPush', start: () => this.#startPush(), stop: () => this.#push.stop() },
    ];
  }

  #createWatch(): CameraWatch {
    const { commit, log } = this.#site.context;
    return new CameraWatch({
      cameras: this.#site.config.cameras,
      clocks: this.#site.clocks,
      log,
      onDocument: () => this.#site.core.checkClock(),
      onClockLearned: (beliefs) => {
        commit
          .run(() => this.#site.clockStore.save(beliefs))
          .catch((err: unknown) => log.error({ event: LOG_EVENTS.cameraClockUnsaved, err }));
      },
      onRefused: (camera, reason) => this.#showDocument(camera, 'refused', reason),
      onMended: (camera, reason) => this.#showDocument(camera, 'mended', reason),
    });
  }

  /** Shows a document of which no read was made, on the lane of its camera. */
  #showDocument(
    { id: cameraId, lane }: { id: string; lane: string },
    standing: 'refused' | 'mended',
    reason: string,
  ): void {
    const at = utcTime(this.#site.context.clock.now());
    const read = { cameraId, at, reason, plate: null, score: 0, standing };
    this.#site.core.lanes.get(lane)?.showRead(read);
  }

  async #startPush(): Promise<void> {
    const { url, tlsUrl } = await this.#push.start();
    this.#urls = { cameraUrl: url, cameraTlsUrl: tlsUrl };
  }
}
