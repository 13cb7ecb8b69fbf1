import { type OpenConnection, openConnection } from '@hlid/node/http-exchange';
import type { Trust } from './locallink-options.ts';

/** The address of a terminal, and how its certificate is checked. */
export interface TrustedPlace {
  host: string;
  port: number;
  trust: Trust;
}

/**
 * A connection to the very terminal that is meant; rejects before any byte is sent. A certificate that is
 * another is named with its fingerprint: a technician compares it with the terminal's.
 */
export function openTrustedSocket(
  { host, port, trust }: TrustedPlace,
  signal: AbortSignal,
): Promise<OpenConnection> {
  if ('ca' in trust) {
    const tls = { ca: trust.ca, ...(trust.name !== undefined && { servername: trust.name }) };
    return openConnection({ host, port, tls }, signal);
  }
  return openConnection(
    {
      host,
      port,
      // The certificate itself is compared; its issuer proves nothing.
      tls: { rejectUnauthorized: false },
      check(socket) {
        const shown = socket.getPeerX509Certificate()?.fingerprint256.replaceAll(':', '').toLowerCase();
        if (shown !== trust.sha256) throw new Error(`another certificate is here: SHA-256 ${shown}`);
      },
    },
    signal,
  );
}
