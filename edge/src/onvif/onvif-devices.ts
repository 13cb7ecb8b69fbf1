import type { Clock } from '@hlid/node/clock';
import type { Logger } from 'pino';
import { LOG_EVENTS } from '../base/events.ts';
import type { ReadingTimes } from './event-reader.ts';
import { OnvifDevice, type OnvifState } from './onvif-device.ts';
import type { OnvifOptions } from './onvif-options.ts';

/** The site's ONVIF devices, each once: a camera and a gate at one address share its login and its subscription. */
export class OnvifDevices {
  readonly #parts: { clock: Clock; log: Logger; times?: Partial<ReadingTimes> };
  readonly #devices = new Map<string, OnvifDevice>();

  constructor(parts: { clock: Clock; log: Logger; times?: Partial<ReadingTimes> }) {
    this.#parts = parts;
  }

  at(options: OnvifOptions): OnvifDevice {
    const { log, ...parts } = this.#parts;
    const { url, user, password } = options;
    const key = JSON.stringify([url, user, password]);
    const known = this.#devices.get(key);
    if (known) return known;
    const device = new OnvifDevice(options, {
      ...parts,
      onState: ({ state, lastError }) =>
        log[state === 'ok' ? 'info' : 'warn']({ event: LOG_EVENTS.onvifState, url, state, lastError }),
      onMended: (fault) => log.warn({ event: LOG_EVENTS.onvifMended, url, fault }),
    });
    this.#devices.set(key, device);
    return device;
  }

  /** Starts to read events. */
  start(): void {
    for (const device of this.#devices.values()) device.start();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#devices.values()].map((device) => device.stop()));
  }

  states(): { url: string; state: OnvifState }[] {
    return [...this.#devices.values()].map((device) => {
      return { url: device.session.options.url, state: device.state() };
    });
  }
}
