import { once } from 'node:events';
import { createServer, request, type Server, type ServerResponse } from 'node:http';
import net from 'node:net';
import { isFault } from '@hlid/protocol/base/fault';
import { expect, test } from 'vitest';
import { listen, listenPatiently, type PatientListener, stopListening } from './listen.ts';

/** Longer than any test may take: who waits for that does not end. */
const NEVER_MS = 3_600_000;

const urlOf = async (server: Server) => `http://${await listen(server, { host: '127.0.0.1', port: 0 }, 'X')}`;

test('a port that is taken is a mistake of the setting that names it', async () => {
  const first = createServer();
  const port = Number(new URL(await urlOf(first)).port);
  const second = listen(net.createServer(), { host: '127.0.0.1', port }, 'HLID_PORT');
  await expect(second).rejects.toSatisfy(
    (error) =>
      isFault(error, 'config-invalid') && /is taken: set another one with HLID_PORT/.test(error.message),
  );
  await stopListening(first);
});

test('a wildcard host is reached by the loopback address', async () => {
  const server = createServer();
  expect(await listen(server, { host: '0.0.0.0', port: 0 }, 'X')).toMatch(/^127\.0\.0\.1:\d+$/);
  await stopListening(server);
});

test('a client that waits for 100 Continue gets it: curl sends no large body before', async () => {
  const server = createServer(async (incoming, response) => {
    const body = await incoming.setEncoding('utf8').reduce((all, part) => `${all}${part}`, '');
    response.end(body);
  });
  const asked = request(await urlOf(server), { method: 'POST', headers: { expect: '100-continue' } });
  asked.flushHeaders();
  await once(asked, 'continue');
  asked.end('content');
  const [answer] = await once(asked, 'response');
  expect(await answer.setEncoding('utf8').reduce((all: string, part: string) => `${all}${part}`, '')).toBe(
    'content',
  );
  await stopListening(server);
});

test('an answer under way is ended before the server stops', async () => {
  const responses: ServerResponse[] = [];
  const server = createServer((_request, response) => void responses.push(response));
  const url = await urlOf(server);
  const asked = once(server, 'request');
  const answer = fetch(url).then((response) => response.text());
  await asked;
  const stopped = stopListening(server);
  responses[0]?.end('done');
  expect(await answer).toBe('done');
  await stopped;
});

test('a connection without a request does not hold up a stop', async () => {
  const server = createServer((_request, response) => void response.end('x'));
  const url = await urlOf(server);
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  await once(server, 'connection');
  await stopListening(server, NEVER_MS);
  socket.destroy();
});

test('a connection that the server of HTTP does not know yet holds up no stop', async () => {
  const server = createServer();
  // Before its TLS handshake, or before its head is repaired, the server does not know a connection.
  server.removeAllListeners('connection');
  const connected = once(server, 'connection');
  const url = await urlOf(server);
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  await connected;
  await stopListening(server, NEVER_MS);
  await once(socket, 'close');
});

test('an answer that does not end is broken off', async () => {
  const server = createServer((_request, response) => void response.write('for ever'));
  const response = await fetch(await urlOf(server));
  await stopListening(server, 50);
  await expect(response.text()).rejects.toThrow();
});

test('a reader of a stream that went away does not hold up the stop', async () => {
  const server = createServer((_request, response) => void response.write('for ever'));
  const going = new AbortController();
  const url = await urlOf(server);
  const response = await fetch(url, { signal: going.signal });
  going.abort();
  await expect(response.text()).rejects.toThrow();
  await stopListening(server, NEVER_MS);
});

/** An address for documents, which no machine has (RFC 5737). */
const MISSING = { host: '203.0.113.7', port: 0 };

function patience(retries: PatientListener['retries']) {
  const reasons: string[] = [];
  let resolve: (address: string) => void = () => undefined;
  const found = new Promise<string>((done) => {
    resolve = done;
  });
  const options: PatientListener = {
    hostSetBy: 'push.host',
    portSetBy: 'push.port',
    retries,
    onWaiting: (reason) => reasons.push(reason),
    onListening: (address) => resolve(address),
    retryMs: 5,
  };
  return { options, reasons, found };
}

test('an address that is missing is waited for, and the advice names the address', async () => {
  const server = createServer();
  const { options, reasons } = patience('missing-address');
  expect(await listenPatiently(server, MISSING, options)).toBe('203.0.113.7:0');
  expect(reasons).toEqual([expect.stringMatching(/no address 203\.0\.113\.7 \(push\.host\)/)]);
  expect(reasons.join()).not.toContain('push.port');
  await stopListening(server);
});

test('a port that is taken is waited for where the program can work without it', async () => {
  const first = createServer();
  const port = Number(new URL(await urlOf(first)).port);
  const server = createServer((_request, response) => void response.end('here'));
  const { options, reasons, found } = patience('every-failure');
  await listenPatiently(server, { host: '127.0.0.1', port }, options);
  expect(reasons).toEqual([expect.stringMatching(/is taken: set another one with push\.port/)]);
  await stopListening(first);
  expect(await found).toBe(`127.0.0.1:${port}`);
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('here');
  expect(reasons).toHaveLength(1);
  await stopListening(server);

  const needed = patience('missing-address');
  const again = createServer();
  const other = Number(new URL(await urlOf(again)).port);
  const refused = listenPatiently(createServer(), { host: '127.0.0.1', port: other }, needed.options);
  await expect(refused).rejects.toSatisfy((error) => isFault(error, 'config-invalid'));
  await stopListening(again);
});

test('a server that stops while it waits does not listen later', async () => {
  const first = createServer();
  const port = Number(new URL(await urlOf(first)).port);
  const server = createServer();
  const { options } = patience('every-failure');
  await listenPatiently(server, { host: '127.0.0.1', port }, options);
  await stopListening(server);
  await stopListening(first);
  const next = createServer();
  // Had the first server gone on, the port would be taken after a few attempts.
  await listen(next, { host: '127.0.0.1', port }, 'X');
  expect(server.listening).toBe(false);
  await stopListening(next);
});
