import { z } from 'zod';
import { type AskRelay, openRelayLine } from './ask-relay.ts';
import { type DigestLogin, type RelayLogin, withDigest } from './relay-login.ts';
import { withSeenLogin } from './seen-login.ts';

/** How a maker's device with a gate at it is reached. */
export const GATE_DEVICE_SHAPE = {
  /** The address of the device's own pages, such as `http://192.168.1.64`. */
  url: z.url({ protocol: /^https?$/, error: 'an address such as http://192.168.1.64' }),
  timeoutMs: z.int().min(100).max(30_000).default(2000),
  /** https: accepts a self-signed certificate, as devices have when they are new. */
  selfSigned: z.boolean().default(false),
};

/** The account of a device that is logged in to with HTTP Digest. */
export const GATE_LOGIN_SHAPE = { user: z.string().min(1), password: z.string() };

interface DeviceOptions {
  timeoutMs: number;
  selfSigned: boolean;
}

/** A device without a login, or with one in each request. */
export function openDevice(options: DeviceOptions): RelayLogin {
  return withSeenLogin(openLine(options));
}

function openLine({ timeoutMs, selfSigned }: DeviceOptions): AskRelay {
  return openRelayLine({ timeoutMs, keepAlive: false, selfSigned });
}

/** @param probe a path at the device that an account may read, and that moves nothing */
export function openDeviceWithLogin(
  options: DeviceOptions & { url: string; user: string; password: string },
  probe: string,
): DigestLogin {
  const { url, user, password } = options;
  return withDigest(openLine(options), { user, password }, { method: 'GET', url: addressAt(url, probe) });
}

/** An address at the device. */
export function addressAt(url: string, path: string): string {
  return new URL(path, url).href;
}
