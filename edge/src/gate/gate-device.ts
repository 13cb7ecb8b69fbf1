import { z } from 'zod';
import { type AskRelay, openRelayLine } from './ask-relay.ts';
import { withDigest } from './relay-login.ts';

/** How a maker's device with a gate at it is reached. */
export const GATE_DEVICE_SHAPE = {
  /** Where the device's own pages are, such as `http://192.168.1.64`. */
  url: z.url({ protocol: /^https?$/, error: 'an address such as http://192.168.1.64' }),
  timeoutMs: z.int().min(100).max(30_000).default(2000),
  /** https: takes a certificate that nobody vouches for, as devices have when they are new. */
  selfSigned: z.boolean().default(false),
};

/** The account of a device that is logged in to with HTTP Digest. */
export const GATE_LOGIN_SHAPE = { user: z.string().min(1), password: z.string() };

interface DeviceOptions {
  timeoutMs: number;
  selfSigned: boolean;
}

export function openDevice({ timeoutMs, selfSigned }: DeviceOptions): AskRelay {
  return openRelayLine({ timeoutMs, keepAlive: false, selfSigned });
}

export function openDeviceWithLogin(options: DeviceOptions & { user: string; password: string }): AskRelay {
  const { user, password } = options;
  return withDigest(openDevice(options), { user, password });
}

/** An address at the device. */
export function addressAt(url: string, path: string): string {
  return new URL(path, url).href;
}
