import { connect } from 'node:net';
import type { GateCheck } from './gate.ts';

/** Whether a device accepts connections at an address. Nothing is sent, so nothing moves. */
export function reachHost(
  url: string,
  timeoutMs: number,
): Promise<Extract<GateCheck, 'connected' | 'unreachable'>> {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80) });
    const settle = (outcome: 'connected' | 'unreachable') => {
      clearTimeout(deadline);
      socket.destroy();
      resolve(outcome);
    };
    const deadline = setTimeout(() => settle('unreachable'), timeoutMs);
    socket.once('connect', () => settle('connected')).once('error', () => settle('unreachable'));
  });
}
