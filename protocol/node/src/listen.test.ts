import { once } from 'node:events';
import { createServer, request, type Server, type ServerResponse } from 'node:http';
import net from 'node:net';
import { isFault } from '@hlid/protocol/fault';
import { expect, test } from 'vitest';
import { listen, stopListening } from './listen.ts';

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

test('who holds a connection without asking for anything holds up nobody', async () => {
  const server = createServer((_request, response) => void response.end('x'));
  const url = await urlOf(server);
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  await once(server, 'connection');
  await stopListening(server, NEVER_MS);
  socket.destroy();
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
