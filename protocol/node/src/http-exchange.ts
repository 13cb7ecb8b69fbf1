import { type IncomingHttpHeaders, request } from 'node:http';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import { messageOf } from '@hlid/protocol/base/fault';
import { deadline } from './deadline.ts';
import { errorCode } from './errors.ts';

/** The longest wait for a connection, its TLS handshake included. */
const CONNECT_MS = 10_000;

/** An open connection to the right peer. */
export interface OpenConnection {
  socket: Socket;
  /** Ends it so that nothing that this machine has not sent yet arrives later: what was given up stays given up. */
  reset(): void;
}

/** Opens a connection; rejects before a byte of a request is sent. */
export type Connect = (signal: AbortSignal) => Promise<OpenConnection>;

export interface HttpExchange {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: URL;
  headers: Readonly<Record<string, string>>;
  /** Null: none. */
  body: string | null;
  maxAnswerBytes: number;
  timeoutMs: number;
  /** Once it aborts, nothing is sent, and no answer is awaited. */
  signal?: AbortSignal | undefined;
  /** Absent: the host of the URL, with a certificate that this machine trusts. */
  connect?: Connect;
}

/** No problem quotes what was sent or answered, since both may have a card number. */
export type HttpOutcome =
  | { kind: 'answered'; status: number; headers: IncomingHttpHeaders; text: string }
  /** The request certainly was not sent. */
  | { kind: 'not-sent'; problem: string }
  /** It may have arrived, and its answer did not, or not whole. */
  | { kind: 'lost'; problem: string };

/**
 * Sends one request once, on a separate connection. It begins only when the connection is open, so what fails
 * before that was not sent, and what fails after it is lost. A connection that was idle may have been closed
 * by the other side, so none is used twice. No redirect is followed. Never throws.
 */
export async function exchangeHttp(exchange: HttpExchange): Promise<HttpOutcome> {
  const { url, timeoutMs, signal: until, connect = connectTo(url) } = exchange;
  if (until?.aborted) return { kind: 'not-sent', problem: 'its time is over' };
  const signal = deadline(timeoutMs, until);
  const connectMs = Math.min(CONNECT_MS, timeoutMs);
  const connecting = deadline(connectMs, until);
  const endOf = (ms: number) => (until?.aborted ? 'its time is over' : `no answer within ${ms} ms`);
  let connection: OpenConnection;
  try {
    connection = await connect(connecting);
  } catch (error) {
    const problem = connecting.aborted
      ? endOf(connectMs)
      : messageOf(error) || (errorCode(error) ?? 'failed');
    return { kind: 'not-sent', problem };
  }
  try {
    if (signal.aborted) return { kind: 'not-sent', problem: endOf(timeoutMs) };
    return await send(exchange, connection, signal);
  } catch (error) {
    const problem = signal.aborted ? endOf(timeoutMs) : (errorCode(error) ?? messageOf(error));
    return { kind: 'lost', problem };
  } finally {
    connection.socket.destroy();
  }
}

/** The host of an address. */
function connectTo({ protocol, hostname, port }: URL): Connect {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol === 'http:') return (signal) => openConnection({ host, port: Number(port || 80) }, signal);
  const tls = { ALPNProtocols: ['http/1.1'], ...(isIP(host) === 0 && { servername: host }) };
  return (signal) => openConnection({ host, port: Number(port || 443), tls }, signal);
}

/** @param place.tls absent: no TLS. @param place.check throws if the peer is not the right one */
export function openConnection(
  place: { host: string; port: number; tls?: ConnectionOptions; check?: (socket: TLSSocket) => void },
  signal: AbortSignal,
): Promise<OpenConnection> {
  const { host, port, tls, check } = place;
  return new Promise((resolve, reject) => {
    const plain = connectPlain({ host, port });
    const secure = tls === undefined ? null : connectTls({ socket: plain, host, ...tls });
    const socket = secure ?? plain;
    const fail = (error: Error) => {
      signal.removeEventListener('abort', giveUp);
      socket.destroy();
      plain.destroy();
      reject(error);
    };
    const giveUp = () => fail(new Error('given up'));
    // A socket that failed may report more than one error.
    socket.on('error', fail);
    if (secure !== null) plain.on('error', fail);
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp);
    socket.once(secure === null ? 'connect' : 'secureConnect', () => {
      try {
        if (secure !== null) check?.(secure);
      } catch (error) {
        return fail(error instanceof Error ? error : new Error(String(error)));
      }
      signal.removeEventListener('abort', giveUp);
      resolve({ socket, reset: () => void plain.resetAndDestroy() });
    });
  });
}

function send(
  { method, url, headers, body, maxAnswerBytes }: HttpExchange,
  { socket, reset }: OpenConnection,
  signal: AbortSignal,
): Promise<Extract<HttpOutcome, { kind: 'answered' }>> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      createConnection: () => socket,
      method,
      path: url.pathname + url.search,
      headers: {
        host: url.host,
        connection: 'close',
        ...headers,
        ...((body !== null || method === 'POST' || method === 'PUT') && {
          'content-length': Buffer.byteLength(body ?? ''),
        }),
      },
    });
    const giveUp = () => {
      reset();
      outgoing.destroy(new Error('given up'));
    };
    signal.addEventListener('abort', giveUp);
    let hasAnswer = false;
    outgoing.on('close', () => {
      signal.removeEventListener('abort', giveUp);
      if (!hasAnswer) reject(new Error('the connection ended'));
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      hasAnswer = true;
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= maxAnswerBytes) chunks.push(chunk);
        else {
          reject(new Error('the answer is too long'));
          outgoing.destroy();
        }
      });
      response.on('error', reject);
      response.on('close', () => {
        if (!response.complete) return reject(new Error('the answer broke off'));
        const { statusCode: status = 0 } = response;
        resolve({
          kind: 'answered',
          status,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        });
      });
    });
    outgoing.end(body ?? undefined);
  });
}
