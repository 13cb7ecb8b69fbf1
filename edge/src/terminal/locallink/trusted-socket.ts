import { connect as connectPlain } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { Trust } from './locallink-options.ts';

/** Where a terminal is, and by what it is known. */
export interface TrustedPlace {
  host: string;
  port: number;
  trust: Trust;
}

export interface TrustedSocket {
  socket: TLSSocket;
  /** Ends it so that nothing that is still on its way in this machine arrives later: what was given up stays given up. */
  reset(): void;
}

/**
 * A connection to the very terminal that is meant; rejects before a byte of ours has gone out. A certificate that is
 * another is named with its fingerprint: a technician compares it with the terminal's.
 */
export function openTrustedSocket(
  { host, port, trust }: TrustedPlace,
  signal: AbortSignal,
): Promise<TrustedSocket> {
  return new Promise((resolve, reject) => {
    const plain = connectPlain({ host, port });
    const socket = connect({
      socket: plain,
      host,
      ...('ca' in trust
        ? { ca: trust.ca, ...(trust.name !== undefined && { servername: trust.name }) }
        : // The certificate itself is compared below; who has signed it says nothing.
          { rejectUnauthorized: false }),
    });
    const fail = (error: Error) => {
      signal.removeEventListener('abort', giveUp);
      socket.destroy();
      plain.destroy();
      reject(error);
    };
    const giveUp = () => fail(new Error('given up'));
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp);
    socket.once('error', fail);
    socket.once('secureConnect', () => {
      if ('sha256' in trust) {
        const shown = socket.getPeerX509Certificate()?.fingerprint256.replaceAll(':', '').toLowerCase();
        if (shown !== trust.sha256) return fail(new Error(`another certificate is here: SHA-256 ${shown}`));
      }
      signal.removeEventListener('abort', giveUp);
      socket.removeListener('error', fail);
      resolve({ socket, reset: () => void plain.resetAndDestroy() });
    });
  });
}
