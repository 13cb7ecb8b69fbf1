import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP line between a site and its broker that keeps all that goes through it. */
export interface RecordedLine {
  /** Leads to this address from now on; returns the line's own. */
  to(url: string): string;
  /** Both ways, in the order in which it came. */
  record(): Buffer;
  stop(): Promise<void>;
}

export async function startRecordedLine(): Promise<RecordedLine> {
  const open = new Set<Socket>();
  const pieces: Buffer[] = [];
  let target = { host: '127.0.0.1', port: 0 };
  const server = createServer((near) => {
    const far = connect(target);
    const ways = [
      [near, far],
      [far, near],
    ] as const;
    for (const [from, to] of ways) {
      open.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
      from.on('data', (bytes: Buffer) => {
        pieces.push(bytes);
        to.write(bytes);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    to(url) {
      const { protocol, hostname, port: its } = new URL(url);
      target = { host: hostname, port: Number(its) };
      return `${protocol}//127.0.0.1:${port}`;
    },
    record: () => Buffer.concat(pieces),
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
