import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP line between a site and its broker, which a test can cut. */
export interface FaultyLine {
  /** Leads to this address from now on; returns the line's own. */
  to(url: string): string;
  /** Resets the connection that is in use once so many more bytes have gone through the line. */
  cut(afterBytes: number): void;
  /** From now on nothing gets through, and nothing is lost: it all comes when the line is healed. */
  stall(): void;
  heal(): void;
  cuts(): number;
  stop(): Promise<void>;
}

export async function startFaultyLine(): Promise<FaultyLine> {
  const open = new Set<Socket>();
  let target = { host: '127.0.0.1', port: 0 };
  let bytesLeft = Number.POSITIVE_INFINITY;
  let cuts = 0;
  let stalled = false;

  const server = createServer((near) => {
    const far = connect(target);
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
      // Its end is told by `close`; a reset is what this line is for.
      from.on('error', () => to.destroy());
      from.on('data', (bytes) => {
        if (bytes.length < bytesLeft) {
          bytesLeft -= bytes.length;
          to.write(bytes);
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
    heal() {
      stalled = false;
      for (const socket of open) socket.resume();
      bytesLeft = Number.POSITIVE_INFINITY;
    },
    cuts: () => cuts,
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
