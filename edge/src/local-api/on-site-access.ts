import { isIP } from 'node:net';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import type { OnSiteConfig } from '../config/config.ts';
import type { LocalEnv } from './local-env.ts';
import { PinSessions } from './pin-sessions.ts';

/** A way in to the lanes page. Who comes through it may see the lanes, or move gates, or neither. */
export interface AccessPoint {
  name: 'loopback' | 'network';
  /** Null: no PIN is needed here. */
  sessions: PinSessions | null;
  /** Whether the Host header names this machine. */
  isOwnHost(c: Context<LocalEnv>): boolean;
  /** The time for which the person may see the lanes; 0: not at all. */
  viewLeftMs(c: Context<LocalEnv>): number;
  mayAct(c: Context<LocalEnv>): boolean;
}

export const SESSION_COOKIE = 'hlid-on-site';

/** The ways in: from this machine, and from the site's network where the configuration has that. */
export function accessPoints(
  { loopback, pin, network }: OnSiteConfig,
  tick?: () => number,
): { loopback: AccessPoint; network: AccessPoint | null } {
  const sessions = pin === undefined ? null : new PinSessions(pin, tick);
  const needsPin = loopback === 'pin' ? sessions : null;
  return {
    loopback: {
      name: 'loopback',
      sessions: needsPin,
      isOwnHost: (c) => isLoopbackHost(c.req.header('host')),
      viewLeftMs: () => Number.POSITIVE_INFINITY,
      mayAct: (c) => needsPin === null || needsPin.mayAct(sessionOf(c)),
    },
    network:
      network && sessions
        ? {
            name: 'network',
            sessions,
            isOwnHost: (c) =>
              isNamed(c.req.header('host'), [...network.names, c.env.incoming.socket.localAddress ?? '']),
            viewLeftMs: (c) => sessions.viewLeftMs(sessionOf(c)),
            mayAct: (c) => sessions.mayAct(sessionOf(c)),
          }
        : null,
  };
}

export function sessionOf(c: Context<LocalEnv>): string | undefined {
  return getCookie(c, SESSION_COOKIE);
}

/**
 * Whether a Host header names this machine itself, on whatever port (an SSH tunnel changes it). A page on the
 * internet with a name that resolves to 127.0.0.1 (DNS rebinding) sends that name.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host);
}

/** The same for names of this machine in the network; IPv4 in IPv6 is written as IPv4. */
function isNamed(host: string | undefined, names: readonly string[]): boolean {
  const sent = host?.toLowerCase().replace(/:\d{1,5}$/, '');
  return names.some((name) => {
    const plain = name.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
    return plain !== '' && sent === (isIP(plain) === 6 ? `[${plain}]` : plain);
  });
}

/**
 * Whether a page that this server delivered sends this. A page from another site can send a form here, though
 * it cannot read the answer. For JSON a browser needs this server's consent; it also sends the page's origin.
 */
export function isOwnPage(c: Context<LocalEnv>): boolean {
  if (!c.req.header('content-type')?.startsWith('application/json')) return false;
  const [site, origin] = [c.req.header('sec-fetch-site'), c.req.header('origin')];
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin !== undefined) return origin === `http://${c.req.header('host')}`;
  return site !== undefined;
}
