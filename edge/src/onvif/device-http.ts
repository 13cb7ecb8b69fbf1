import http from 'node:http';
import https from 'node:https';
import { messageOf } from '@hlid/protocol/fault';
import { deviceTls } from '../device-tls.ts';

/** More than any camera has to say; a picture in an event makes some hundred kB. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

export interface DeviceRequest {
  method: 'GET' | 'POST';
  /** Used whole: devices put subscriptions into the query. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** https: takes certificates that nobody vouches for. */
  selfSigned: boolean;
}

export type DeviceAnswer =
  | { ok: true; status: number; headers: http.IncomingHttpHeaders; challenges: string[]; body: Buffer }
  /** `unreachable`: it certainly did not arrive; `unknown`: it may have, and no whole answer came. */
  | { ok: false; reason: 'unreachable' | 'unknown'; message: string };

const ENDS_AS_ENVELOPE = /<\/(?:[\w-]{1,40}:)?Envelope>\s*$/;
const LONGEST_END = 100;

/** One request on a connection of its own. Never throws. */
export function askDevice(request: DeviceRequest): Promise<DeviceAnswer> {
  const { method, timeoutMs, signal } = request;
  if (!URL.canParse(request.url)) {
    return Promise.resolve({ ok: false, reason: 'unreachable', message: `${request.url} is no address` });
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
    const onAbort = () => fail('given up');
    const url = new URL(request.url);
    const secure = url.protocol === 'https:';
    const outgoing = (secure ? https : http).request(url, {
      method,
      agent: false,
      headers: { ...inUtf8(request.headers), 'content-length': body.length },
      // Lengths that do not fit, line ends without CR: one device, one answer, and then the connection ends.
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
        // Some promise more bytes than they have.
        if (!response.complete && !ENDS_AS_ENVELOPE.test(whole.toString('latin1').slice(-LONGEST_END))) {
          return fail(error ? messageOf(error) : 'the answer broke off');
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

/** Names of users may have any letters. HTTP takes a header's characters for bytes. */
function inUtf8(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
  );
}
