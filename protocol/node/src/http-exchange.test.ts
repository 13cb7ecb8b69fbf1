import { createServer, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { exchangeHttp, type HttpExchange } from './http-exchange.ts';

let server: Server | undefined;
afterEach(() => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve())));

/** A peer that answers each connection with these bytes once a request has come, and then does something. */
async function peer(answer: string, then: 'end' | 'wait' | 'reset' = 'end') {
  const heard: string[] = [];
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      heard.push(data.toString());
      if (then === 'reset') {
        socket.resetAndDestroy();
        return;
      }
      socket.write(answer);
      if (then === 'end') socket.end();
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return { url: new URL(`http://127.0.0.1:${port}/pay?a=b`), heard };
}

const post = (url: URL, more: Partial<HttpExchange> = {}) =>
  exchangeHttp({
    method: 'POST',
    url,
    headers: { 'content-type': 'text/plain' },
    body: 'króna',
    maxAnswerBytes: 20,
    timeoutMs: 5000,
    ...more,
  });

it('sends one request whole, and reads the answer whole', async () => {
  const { url, heard } = await peer('HTTP/1.1 201 Created\r\nx-a: b\r\ncontent-length: 6\r\n\r\nþorp!');
  expect(await post(url)).toMatchObject({
    kind: 'answered',
    status: 201,
    headers: { 'x-a': 'b' },
    text: 'þorp!',
  });
  const [request = ''] = heard;
  expect(request.split('\r\n')[0]).toBe('POST /pay?a=b HTTP/1.1');
  expect(request).toContain('content-length: 6');
  expect(request.endsWith('\r\n\r\nkróna')).toBe(true);
});

it.each([
  ['cut before the headers', '', 'end'],
  ['cut in the headers', 'HTTP/1.1 200 OK\r\ncontent-', 'end'],
  ['cut in the body', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc', 'end'],
  ['cut in a piece', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nabc', 'end'],
  ['reset', '', 'reset'],
  ['too long', `HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(21)}`, 'end'],
  ['not HTTP', 'SSH-2.0-OpenSSH_9\r\n', 'end'],
  [
    'another protocol',
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    'wait',
  ],
] as const)('an answer that is %s is lost', async (_, answer, then) => {
  const { url, heard } = await peer(answer, then);
  expect(await post(url)).toMatchObject({ kind: 'lost', problem: expect.stringMatching(/./) });
  expect(heard).toHaveLength(1);
});

it('an answer as long as it may be is read', async () => {
  const { url } = await peer(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(20)}`);
  expect(await post(url)).toMatchObject({ kind: 'answered', text: 'x'.repeat(20) });
});

it('a peer that is silent, or never ends, is lost at its deadline', async () => {
  for (const answer of ['', 'HTTP/1.1 200 OK\r\n\r\nabc']) {
    const { url } = await peer(answer, 'wait');
    expect(await post(url, { timeoutMs: 50 })).toEqual({ kind: 'lost', problem: 'no answer within 50 ms' });
  }
});

it('nothing is sent after its time', async () => {
  const { url, heard } = await peer('HTTP/1.1 200 OK\r\n\r\n');
  expect(await post(url, { signal: AbortSignal.abort() })).toEqual({
    kind: 'not-sent',
    problem: 'its time is over',
  });
  const stop = new AbortController();
  const connecting = post(url, {
    signal: stop.signal,
    connect: (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('given up')));
        stop.abort();
      }),
  });
  expect(await connecting).toEqual({ kind: 'not-sent', problem: 'its time is over' });
  expect(heard).toEqual([]);
});

it('what is under way when its time ends is lost', async () => {
  const { url } = await peer('', 'wait');
  const stop = new AbortController();
  const sent = post(url, { signal: stop.signal });
  server?.once('connection', (socket) => socket.once('data', () => stop.abort()));
  expect(await sent).toEqual({ kind: 'lost', problem: 'its time is over' });
});

it('what could not connect was not sent', async () => {
  const { url } = await peer('');
  await new Promise<void>((resolve) => server?.close(() => resolve()));
  expect(await post(url)).toMatchObject({
    kind: 'not-sent',
    problem: expect.stringContaining('ECONNREFUSED'),
  });
});
