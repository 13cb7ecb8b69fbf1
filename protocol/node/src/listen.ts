import type { Server as HttpServer, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Server } from 'node:net';
import { Fault, messageOf } from '@hlid/protocol/fault';

export interface ListenAt {
  host: string;
  /** 0: any free port. */
  port: number;
}

/**
 * Listens, and returns `host:port` where this machine reaches the server: the loopback address for a wildcard host,
 * the port that was found for 0. Throws Fault 'config-invalid' that names the setting to change.
 *
 * @param setBy the setting that names the port
 */
export async function listen(server: Server, { host, port }: ListenAt, setBy: string): Promise<string> {
  trackResponses(server);
  await new Promise<void>((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${messageOf(error)})`;
      const message = `Port ${port} on ${host} ${reason}: set another one with ${setBy}.`;
      reject(new Fault('config-invalid', message, { cause: error }));
    };
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse);
      resolve();
    });
  });
  const address = server.address();
  const found = typeof address === 'object' && address ? address.port : port;
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `${name.includes(':') ? `[${name}]` : name}:${found}`;
}

/** Unfinished responses of each HTTP server. */
const unfinished = new WeakMap<Server, Set<ServerResponse>>();

function trackResponses(server: Server): void {
  const responses = new Set<ServerResponse>();
  unfinished.set(server, responses);
  const begin = (_request: unknown, response: ServerResponse) => {
    responses.add(response);
    response.once('close', () => responses.delete(response));
  };
  server.prependListener('request', begin);
}

/** Lets unfinished responses end within `timeoutMs`, then closes every connection, also those that clients keep open. */
export async function stopListening(server: HttpServer | HttpsServer, timeoutMs = 5000): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const finished = [...(unfinished.get(server) ?? [])].map(
    (response) => new Promise<void>((resolve) => response.once('close', resolve)),
  );
  const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await Promise.race([Promise.all(finished), closed]);
  clearTimeout(timer);
  server.closeAllConnections();
  await closed;
}
