import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { SeededRandom } from '../sim/seeded-random.ts';

/** A TCP line between a site and its broker, which a test can cut. */
export interface FaultyLine {
  /** Leads to this address from now on; returns the line's own. */
  to(url: string): string;
  /** Resets the current connection after this number of further bytes. */
  cut(afterBytes: number): void;
  /** Stalls the line: nothing gets through and nothing is lost until it is healed. */
  stall(): void;
  /** Delays all traffic by this time, each way. */
  slow(latencyMs: number): void;
  /** Resets this share of the connections from now on, each after at most this number of bytes. */
  unreliable(share: number, maxAfterBytes: number, random: SeededRandom): void;
  /** Resets all that is connected. */
  drop(): void;
  heal(): void;
  cuts(): number;
  /** Connections so far, those that came to nothing too. */
  connections(): number;
  /** Bytes that the site has sent into it so far. */
  sentUp(): number;
  stop(): Promise<void>;
}

export async function startFaultyLine(): Promise<FaultyLine> {
  const open = new Set<Socket>();
  let target = { host: '127.0.0.1', port: 0 };
  let bytesLeft = Number.POSITIVE_INFINITY;
  let cuts = 0;
  let connections = 0;
  let sentUp = 0;
  let stalled = false;
  let latencyMs = 0;
  let fate = () => Number.POSITIVE_INFINITY;

  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ ...target, noDelay: true });
    connections++;
    let bytesToLive = fate();
    const drop = () => {
      near.resetAndDestroy();
      far.resetAndDestroy();
    };
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      if (stalled) from.pause();
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
      // `close` reports the end; resets are the purpose of this line.
      from.on('error', () => to.destroy());
      from.on('data', (bytes) => {
        if (from === near) sentUp += bytes.length;
        bytesToLive -= bytes.length;
        if (bytesToLive <= 0) {
          cuts++;
          return drop();
        }
        if (bytes.length < bytesLeft) {
          bytesLeft -= bytes.length;
          if (latencyMs === 0) to.write(bytes);
          else setTimeout(() => to.writable && to.write(bytes), latencyMs);
          return;
        }
        cuts++;
        bytesLeft = Number.POSITIVE_INFINITY;
        to.write(bytes.subarray(0, Math.max(0, Math.floor(bytes.length / 2))));
        drop();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    to(url) {
      const { hostname, port: far } = new URL(url);
      target = { host: hostname, port: Number(far) };
      return `mqtt://127.0.0.1:${port}`;
    },
    cut(afterBytes) {
      bytesLeft = afterBytes;
    },
    stall() {
      stalled = true;
      for (const socket of open) socket.pause();
    },
    slow(ms) {
      latencyMs = ms;
    },
    unreliable(share, maxAfterBytes, random) {
      fate = () => (random.chance(share) ? random.between(0, maxAfterBytes) : Number.POSITIVE_INFINITY);
    },
    drop() {
      for (const socket of open) socket.resetAndDestroy();
    },
    heal() {
      stalled = false;
      latencyMs = 0;
      fate = () => Number.POSITIVE_INFINITY;
      for (const socket of open) socket.resume();
      bytesLeft = Number.POSITIVE_INFINITY;
    },
    cuts: () => cuts,
    connections: () => connections,
    sentUp: () => sentUp,
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
