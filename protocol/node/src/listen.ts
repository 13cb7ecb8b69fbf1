import type { Server as HttpServer, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Server, Socket } from 'node:net';
import { Fault, messageOf } from '@hlid/protocol/base/fault';
import { errorCode } from './errors.ts';

export interface ListenAt {
  host: string;
  /** 0: any free port. */
  port: number;
}

export interface PatientListener {
  /** The setting that names the address. */
  hostSetBy: string;
  /** The setting that names the port. */
  portSetBy: string;
  /** The failures that are retried. A listener that the program can work without retries every one. */
  retries: 'missing-address' | 'every-failure';
  /** Receives the reason of the first failure, and each other reason after it. */
  onWaiting(reason: string): void;
  /** Runs when a later attempt succeeds. */
  onListening(address: string): void;
  retryMs?: number;
}

const RETRY_MS = 10_000;

/** Servers that wait for their address, each with its next attempt. */
const waiting = new WeakMap<Server, NodeJS.Timeout>();

/**
 * Listens like `listen`. After a failure that is one of `retries`, it returns the configured address and
 * tries again in the background until `stopListening` or `stopWaiting`. A network card or a VPN may get its
 * address after the program starts.
 */
export async function listenPatiently(
  server: Server,
  at: ListenAt,
  options: PatientListener,
): Promise<string> {
  try {
    return await listen(server, at, options.portSetBy);
  } catch (error) {
    if (options.retries !== 'every-failure' && !isMissingAddress(error)) throw error;
    const reason = reasonOf(error, at, options);
    options.onWaiting(reason);
    tryAgainLater(server, at, { ...options, lastReason: reason });
    return nameOf(at);
  }
}

function tryAgainLater(
  server: Server,
  at: ListenAt,
  options: PatientListener & { lastReason: string },
): void {
  const attempt = async () => {
    try {
      const address = await listen(server, at, options.portSetBy);
      // The server was stopped during the attempt.
      if (waiting.get(server) !== timer) {
        server.close();
        return;
      }
      waiting.delete(server);
      options.onListening(address);
    } catch (error) {
      if (waiting.get(server) !== timer) return;
      const reason = reasonOf(error, at, options);
      if (reason !== options.lastReason) options.onWaiting(reason);
      tryAgainLater(server, at, { ...options, lastReason: reason });
    }
  };
  const timer = setTimeout(() => void attempt(), options.retryMs ?? RETRY_MS).unref();
  waiting.set(server, timer);
}

/** Gives up waiting for an address. Does nothing for a server that listens. */
export function stopWaiting(server: Server): void {
  clearTimeout(waiting.get(server));
  waiting.delete(server);
}

function isMissingAddress(error: unknown): boolean {
  const code = errorCode(error instanceof Error ? error.cause : null);
  // A name that nothing resolves yet is an address that is missing too.
  return code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN';
}

/** Names the address where it is missing, and the port only where that is the trouble. */
function reasonOf(error: unknown, { host }: ListenAt, { hostSetBy }: PatientListener): string {
  if (!isMissingAddress(error)) return messageOf(error);
  return `This machine has no address ${host} (${hostSetBy}) yet: is its network card or VPN up? It is tried again.`;
}

/**
 * Listens, and returns `host:port` where this machine reaches the server: the loopback address for a wildcard host,
 * the port that was found for 0. Throws Fault 'config-invalid' that names the setting to change.
 *
 * @param setBy the setting that names the port
 */
export async function listen(server: Server, { host, port }: ListenAt, setBy: string): Promise<string> {
  trackResponses(server);
  trackConnections(server);
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
  return nameOf({ host, port: found });
}

function nameOf({ host, port }: ListenAt): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Unfinished responses of each HTTP server. */
const unfinished = new WeakMap<Server, Set<ServerResponse>>();

function trackResponses(server: Server): void {
  if (unfinished.has(server)) return;
  const responses = new Set<ServerResponse>();
  unfinished.set(server, responses);
  const begin = (_request: unknown, response: ServerResponse) => {
    responses.add(response);
    response.once('close', () => responses.delete(response));
  };
  server.prependListener('request', begin);
}

/** Open connections of each server, from their first byte: those too on which no request has begun. */
const connections = new WeakMap<Server, Set<Socket>>();

function trackConnections(server: Server): void {
  if (connections.has(server)) return;
  const open = new Set<Socket>();
  connections.set(server, open);
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
}

/** Lets unfinished responses end within `timeoutMs`, then closes every connection, also those that clients keep open. */
export async function stopListening(server: HttpServer | HttpsServer, timeoutMs = 5000): Promise<void> {
  stopWaiting(server);
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const finished = [...(unfinished.get(server) ?? [])].map(
    (response) => new Promise<void>((resolve) => response.once('close', resolve)),
  );
  const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await Promise.race([Promise.all(finished), closed]);
  clearTimeout(timer);
  server.closeAllConnections();
  // The server of HTTP does not know connections before the end of their TLS handshake, or of the head that is mended.
  for (const socket of connections.get(server) ?? []) socket.destroy();
  await closed;
}
