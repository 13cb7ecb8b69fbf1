import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { requestCloud } from './cloud-request.ts';

const LONG = 'a permit like any other\n'.repeat(40_000);
const packed = gzipSync(LONG);
let server: http.Server;
let url: string;
beforeEach(async () => {
  server = http.createServer((request, response) => {
    const path = request.url ?? '';
    if (path === '/away') return void response.writeHead(302, { location: '/plain' }).end('elsewhere');
    if (path === '/plain') return void response.end(`asked with ${request.headers.authorization}`);
    response.writeHead(200, { 'content-encoding': 'gzip' });
    if (path === '/cut') return void response.write(packed.subarray(0, 900), () => response.destroy());
    if (path === '/stuck') return void response.write(packed.subarray(0, 900));
    response.end(packed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});
const get = (path: string, signal = AbortSignal.timeout(5000)) =>
  requestCloud(`${url}${path}`, { headers: { authorization: 'Bearer x' }, signal });

test('unpacks what is packed, and asks with what it is given', async () => {
  expect(await text((await get('/')).body)).toBe(LONG);
  expect(await text((await get('/plain')).body)).toBe('asked with Bearer x');
});

test('goes nowhere else', async () => {
  const { status, headers, body } = await get('/away');
  expect([status, headers.location, await text(body)]).toEqual([302, '/plain', 'elsewhere']);
});

test('fails where the answer is cut off, where the cloud does not answer, and where it is broken off', async () => {
  await expect(get('/cut').then(({ body }) => text(body))).rejects.toThrow();
  const stop = new AbortController();
  const { body } = await get('/stuck', stop.signal);
  const read = text(body);
  stop.abort(new Error('enough'));
  await expect(read).rejects.toThrow();
  await expect(requestCloud('http://127.0.0.1:9', { signal: AbortSignal.timeout(5000) })).rejects.toThrow();
});

test('broken off before anybody reads it fails when it is read', async () => {
  const stop = new AbortController();
  const { body } = await get('/stuck', stop.signal);
  const closed = new Promise((resolve) => body.once('close', resolve));
  stop.abort();
  await closed;
  await expect(text(body)).rejects.toThrow();
});
