import net from 'node:net';
import tls from 'node:tls';
import { messageOf } from '@hlid/protocol/base/fault';
import { deviceTls } from '../base/device-tls.ts';
import { type ReadAnswer, readDeviceAnswer } from './device-answer.ts';

/** More than any camera sends; a picture in an event has some hundred kB. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** An answer that has its announced length, and goes on, is complete after this silence. */
const SILENCE_ENDS_MS = 1000;

/** The end of a document, of a line, or of chunks. */
const MAY_END = /(?:>\s*|\n)(?:0\s*)?$/;
const MAX_END_BYTES = 16;

export interface DeviceRequest {
  method: 'GET' | 'POST';
  /** The address with its query: devices put subscriptions into it. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** https: accepts self-signed certificates. */
  selfSigned: boolean;
}

export type DeviceAnswer =
  | ({ ok: true } & Omit<ReadAnswer, 'isWhole' | 'endsAt'>)
  /** `unreachable`: the request did not arrive; `unknown`: it may have, and no complete answer came. */
  | { ok: false; reason: 'unreachable' | 'unknown'; message: string };

/**
 * Sends one request on a separate connection. Never throws. `node:http` does not serve: devices answer
 * without a status line, with wrong lengths, or with their document alone, and its parser fails at the first
 * such fault.
 */
export function requestDevice(request: DeviceRequest): Promise<DeviceAnswer> {
  const { timeoutMs, signal } = request;
  if (!URL.canParse(request.url) || !/^https?:$/.test(new URL(request.url).protocol)) {
    return Promise.resolve({ ok: false, reason: 'unreachable', message: `${request.url} is not an address` });
  }
  const url = new URL(request.url);
  return new Promise((resolve) => {
    let connected = false;
    let isSettled = false;
    const chunks: Buffer[] = [];
    let bytes = 0;
    let silence: NodeJS.Timeout | undefined;
    const settle = (answer: DeviceAnswer) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(deadline);
      clearTimeout(silence);
      signal?.removeEventListener('abort', onAbort);
      socket.destroy();
      resolve(answer);
    };
    const fail = (message: string) =>
      settle({ ok: false, reason: connected ? 'unknown' : 'unreachable', message });
    const accept = ({ isWhole: _whole, endsAt: _end, ...answer }: ReadAnswer) =>
      settle({ ok: true, ...answer });
    const read = (ended: boolean) => {
      const whole = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, bytes);
      chunks.splice(0, chunks.length, whole);
      return readDeviceAnswer(whole, ended);
    };
    const onAbort = () => fail('aborted');
    const onEnd = (message: string) => {
      if (isSettled) return;
      const answer = bytes === 0 ? null : read(true);
      if (answer !== null && answer.isWhole !== 'no') accept(answer);
      else fail(message);
    };
    const socket = connect(url, request.selfSigned, () => {
      connected = true;
      socket.write(requestText(url, request));
    });
    const deadline = setTimeout(() => fail(`no answer within ${timeoutMs} ms`), timeoutMs);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort);
    let nextReadAt = 0;
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_ANSWER_BYTES) return fail(`an answer of more than ${MAX_ANSWER_BYTES} bytes`);
      chunks.push(chunk);
      clearTimeout(silence);
      // A long answer is read where it may end, and each time that it has grown by a part of itself.
      if (bytes < nextReadAt && !MAY_END.test(chunk.subarray(-MAX_END_BYTES).toString('latin1'))) return;
      const answer = read(false);
      nextReadAt = answer?.endsAt ?? bytes + bytes / 8;
      if (answer?.isWhole === 'yes') accept(answer);
      if (answer?.isWhole === 'perhaps') silence = setTimeout(() => accept(answer), SILENCE_ENDS_MS);
    });
    socket.on('error', (error) => onEnd(messageOf(error)));
    socket.on('end', () => onEnd('the answer was cut off'));
    socket.on('close', () => onEnd('the answer was cut off'));
  });
}

function connect(url: URL, selfSigned: boolean, onConnected: () => void): net.Socket {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (url.protocol === 'http:') return net.connect(Number(url.port || 80), host, onConnected);
  const servername = net.isIP(host) === 0 ? host : '';
  const options = { host, port: Number(url.port || 443), servername, ...deviceTls(selfSigned) };
  return tls.connect(options, onConnected);
}

/** User names may have any letters; HTTP sends each character of a header as one byte. */
function requestText(url: URL, { method, headers, body = '' }: DeviceRequest): Buffer {
  const content = Buffer.from(body);
  const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const lines = [
    `${method} ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    ...(url.username === '' || 'authorization' in headers
      ? []
      : [`authorization: Basic ${Buffer.from(login).toString('base64')}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value.replace(/[\r\n]+/g, ' ')}`),
    `content-length: ${content.length}`,
    'Connection: close',
    '',
    '',
  ];
  return Buffer.concat([Buffer.from(lines.join('\r\n')), content]);
}
