import type { Server } from 'node:net';
import { Fault } from '@hlid/protocol/fault';

export interface ListenAt {
  host: string;
  /** 0: a free one. */
  port: number;
}

/**
 * Listens, and says at which address of this machine it can be reached. Throws Fault 'config-invalid' where that
 * port cannot be had.
 *
 * @param setting the environment variable that names the port
 */
export async function listen(
  server: Server,
  { host, port }: ListenAt,
  setting: string,
): Promise<{ address: string }> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'somebody else listens there' : error.message;
      reject(
        new Fault('config-invalid', `cannot listen on ${host}:${port}: ${why} (${setting} sets the port)`, {
          cause: error,
        }),
      );
    });
    server.listen(port, host, resolve);
  });
  const at = server.address();
  const listening = typeof at === 'object' && at !== null ? at.port : port;
  return { address: `${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${listening}` };
}
