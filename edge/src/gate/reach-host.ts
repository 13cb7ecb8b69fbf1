import { connect } from 'node:net';
import type { GateOutcome } from '@hlid/protocol/site-link/site-event';

/** Whether a device accepts connections at an address. Nothing is sent, so nothing moves. */
export function reachHost(url: string, timeoutMs: number): Promise<GateOutcome> {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80) });
    const settle = (outcome: GateOutcome) => {
      clearTimeout(deadline);
      socket.destroy();
      resolve(outcome);
    };
    const deadline = setTimeout(() => settle('unreachable'), timeoutMs);
    socket.once('connect', () => settle('done')).once('error', () => settle('unreachable'));
  });
}
