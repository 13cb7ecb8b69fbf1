import type { Clock } from '@hlid/node/clock';
import type { Logger } from 'pino';
import { LOG_EVENTS } from '../events.ts';
import type { ReadingTimes } from './event-reader.ts';
import { createOnvifDevice, type OnvifDevice, type OnvifState } from './onvif-device.ts';
import type { OnvifOptions } from './onvif-options.ts';

/** The site's ONVIF devices, each once: a camera and a gate at one address share its login and its subscription. */
export interface OnvifDevices {
  at(options: OnvifOptions): OnvifDevice;
  /** Begins to read events. */
  start(): void;
  stop(): Promise<void>;
  states(): { url: string; state: OnvifState }[];
}

export function createOnvifDevices(parts: {
  clock: Clock;
  log: Logger;
  times?: Partial<ReadingTimes>;
}): OnvifDevices {
  const { log } = parts;
  const devices = new Map<string, OnvifDevice>();

  return {
    at(options) {
      const key = JSON.stringify([options.url, options.user, options.password]);
      const known = devices.get(key);
      if (known) return known;
      const device = createOnvifDevice(options, {
        clock: parts.clock,
        ...(parts.times && { times: parts.times }),
        onState: ({ state, lastError }) =>
          log[state === 'ok' ? 'info' : 'warn']({
            event: LOG_EVENTS.onvifState,
            url: options.url,
            state,
            lastError,
          }),
      });
      devices.set(key, device);
      return device;
    },
    start() {
      for (const device of devices.values()) device.start();
    },
    async stop() {
      await Promise.all([...devices.values()].map((device) => device.stop()));
    },
    states: () =>
      [...devices.values()].map((device) => ({ url: device.session.options.url, state: device.state() })),
  };
}
