import { request } from 'node:http';
import { messageOf } from '@hlid/protocol/base/fault';
import { openTrustedSocket, type TrustedPlace, type TrustedSocket } from './trusted-socket.ts';

/** A result has two receipts and little else. */
const MAX_ANSWER_BYTES = 256 * 1024;
const ROOT = '/locallink/1.0.0/';

export interface TerminalCall {
  method: 'GET' | 'POST' | 'DELETE';
  path: 'pair' | 'status' | 'transaction' | 'result' | 'report';
  query: Readonly<Record<string, string>>;
  body?: object;
  /** Null: none yet. */
  token: string | null;
  timeoutMs: number;
  signal: AbortSignal;
}

/** `body` is undefined where it is no JSON: it may hold a card number, so it is not kept otherwise. */
export type TerminalAnswer =
  | { kind: 'answered'; status: number; body: unknown }
  /** The call certainly did not arrive. */
  | { kind: 'unreachable'; problem: string }
  /** It may have arrived. */
  | { kind: 'lost'; problem: string };

/** One call on a connection of its own: one that was kept open may be gone, and nobody knows what arrived. Never throws. */
export async function askTerminal(place: TrustedPlace, call: TerminalCall): Promise<TerminalAnswer> {
  const tooLate = AbortSignal.timeout(call.timeoutMs);
  const signal = AbortSignal.any([call.signal, tooLate]);
  const problemOf = (error: unknown) =>
    tooLate.aborted ? `no answer within ${call.timeoutMs} ms` : messageOf(error);
  let trusted: TrustedSocket;
  try {
    trusted = await openTrustedSocket(place, signal);
  } catch (error) {
    return { kind: 'unreachable', problem: problemOf(error) };
  }
  try {
    const { status, text } = await talk(place, call, trusted, signal);
    return { kind: 'answered', status, body: parsed(text) };
  } catch (error) {
    return { kind: 'lost', problem: problemOf(error) };
  } finally {
    trusted.socket.destroy();
  }
}

function talk(
  place: TrustedPlace,
  { method, path, query, body, token }: TerminalCall,
  { socket, reset }: TrustedSocket,
  signal: AbortSignal,
): Promise<{ status: number; text: string }> {
  const sent = body === undefined ? '' : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = request({
      createConnection: () => socket,
      method,
      path: `${ROOT}${path}?${new URLSearchParams(query)}`,
      headers: {
        host: `${place.host}:${place.port}`,
        connection: 'close',
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(sent),
        ...(token !== null && { authorization: `Bearer ${token}` }),
      },
    });
    const giveUp = () => {
      reset();
      outgoing.destroy(new Error('given up'));
    };
    signal.addEventListener('abort', giveUp);
    outgoing.on('close', () => signal.removeEventListener('abort', giveUp));
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_ANSWER_BYTES) outgoing.destroy(new Error('an answer without end'));
        else chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('close', () => {
        if (!response.complete) return reject(new Error('the answer broke off'));
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') });
      });
    });
    if (signal.aborted) giveUp();
    else outgoing.end(sent);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
