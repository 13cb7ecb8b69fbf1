import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { SELF_SIGNED } from './self-signed.ts';

/** Something at an address where no request can be sent. */
export interface Peer {
  origin: string;
  /** All that arrived there, after TLS where it has TLS. */
  heard(): string;
  close(): Promise<void>;
}

export const UNREACHABLE: readonly (readonly [string, () => Promise<Peer>])[] = [
  [
    'nobody who listens',
    async () => {
      const peer = await startPeer(createServer());
      await peer.close();
      return { ...peer, close: async () => undefined };
    },
  ],
  // A label of DNS has 63 letters at most, so no server is asked for it.
  ['a name that cannot exist', async () => nowhere(`https://${'x'.repeat(64)}.invalid`)],
  [
    'a peer that speaks no TLS',
    () =>
      startPeer(createServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 No\r\n\r\n')))),
  ],
  [
    'a peer that breaks the handshake off',
    () => startPeer(createServer((socket) => socket.once('data', () => socket.resetAndDestroy()))),
  ],
  ['a certificate that nobody trusts', () => startPeer(createTlsServer(SELF_SIGNED), 'secureConnection')],
];

function nowhere(origin: string): Peer {
  return { origin, heard: () => '', close: async () => undefined };
}

async function startPeer(server: Server, event = 'connection'): Promise<Peer> {
  const sockets = new Set<Socket>();
  let heard = '';
  server.on(event, (socket: Socket) => {
    sockets.add(socket);
    socket.on('data', (data) => (heard += data.toString('latin1')));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard: () => heard,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
