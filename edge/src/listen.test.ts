import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import net from 'node:net';
import { expect, test } from 'vitest';
import { listen, stopListening } from './listen.ts';

/** Longer than any test may take: who waits for that does not end. */
const NEVER_MS = 3_600_000;

const ANYWHERE = { host: '127.0.0.1', port: 0, setBy: 'X' };

test('an answer under way is ended before the server stops', async () => {
  const responses: ServerResponse[] = [];
  const server = createServer((_request, response) => void responses.push(response));
  const url = await listen(server, ANYWHERE);
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
  const url = await listen(server, ANYWHERE);
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  await once(server, 'connection');
  await stopListening(server, NEVER_MS);
  socket.destroy();
});

test('an answer that does not end is broken off', async () => {
  const server = createServer((_request, response) => void response.write('for ever'));
  const response = await fetch(await listen(server, ANYWHERE));
  await stopListening(server, 50);
  await expect(response.text()).rejects.toThrow();
});

test('a reader of a stream that went away does not hold up the stop', async () => {
  const server = createServer((_request, response) => void response.write('for ever'));
  const going = new AbortController();
  const url = await listen(server, ANYWHERE);
  const response = await fetch(url, { signal: going.signal });
  going.abort();
  await expect(response.text()).rejects.toThrow();
  await stopListening(server, NEVER_MS);
});
