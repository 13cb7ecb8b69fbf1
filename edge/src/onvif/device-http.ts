import http from 'node:http';
import https from 'node:https';
import { messageOf } from '@hlid/protocol/fault';
import { deviceTls } from '../device-tls.ts';

/** More than any camera sends; a picture in an event has some hundred kB. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

export interface DeviceRequest {
  method: 'GET' | 'POST';
  /** With its query: devices put subscriptions into it. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** https: accepts certificates that nobody has signed. */
  selfSigned: boolean;
}

export type DeviceAnswer =
  | { ok: true; status: number; headers: http.IncomingHttpHeaders; challenges: string[]; body: Buffer }
  /** `unreachable`: the request did not arrive; `unknown`: it may have, and no complete answer came. */
  | { ok: false; reason: 'unreachable' | 'unknown'; message: string };

const ENDS_AS_ENVELOPE = /<\/(?:[\w-]{1,40}:)?Envelope>\s*$/;
const MAX_END_CHARACTERS = 100;

/** One request on a connection of its own. Never throws. */
export function requestDevice(request: DeviceRequest): Promise<DeviceAnswer> {
  const { method, timeoutMs, signal } = request;
  if (!URL.canParse(request.url)) {
    return Promise.resolve({ ok: false, reason: 'unreachable', message: `${request.url} is not an address` });
  }
  const body = Buffer.from(request.body ?? '');
  return new Promise((resolve) => {
    let connected = false;
    const fail = (message: string) => {
      settle({ ok: false, reason: connected ? 'unknown' : 'unreachable', message });
      outgoing.destroy();
    };
    const settle = (answer: DeviceAnswer) => {
      clearTimeout(deadline);
      signal?.removeEventListener('abort', onAbort);
      resolve(answer);
    };
    const onAbort = () => fail('aborted');
    const url = new URL(request.url);
    const secure = url.protocol === 'https:';
    const outgoing = (secure ? https : http).request(url, {
      method,
      agent: false,
      headers: { ...inUtf8(request.headers), 'content-length': body.length },
      // Devices send wrong lengths, and line ends without CR; the connection carries one answer only.
      insecureHTTPParser: true,
      ...(secure && deviceTls(request.selfSigned)),
    });
    const deadline = setTimeout(() => fail(`no answer within ${timeoutMs} ms`), timeoutMs);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort);
    outgoing.on('socket', (socket) => {
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        connected = true;
      });
    });
    outgoing.on('error', (error) => fail(messageOf(error)));
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_ANSWER_BYTES) fail(`an answer of more than ${MAX_ANSWER_BYTES} bytes`);
        else chunks.push(chunk);
      });
      const end = (error?: Error) => {
        const whole = Buffer.concat(chunks);
        // Some announce more bytes than they send.
        if (
          !response.complete &&
          !ENDS_AS_ENVELOPE.test(whole.toString('latin1').slice(-MAX_END_CHARACTERS))
        ) {
          return fail(error ? messageOf(error) : 'the answer was cut off');
        }
        settle({
          ok: true,
          status: response.statusCode ?? 0,
          headers: response.headers,
          challenges: response.headersDistinct['www-authenticate'] ?? [],
          body: whole,
        });
      };
      response.on('error', end).on('close', () => end());
    });
    outgoing.end(body);
  });
}

/** User names may have any letters; HTTP sends each character of a header as one byte. */
function inUtf8(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
  );
}
