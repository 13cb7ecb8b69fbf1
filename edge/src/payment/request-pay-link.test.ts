import { createServer, type RequestListener, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen, stopListening } from '@hlid/node/listen';
import { afterEach, expect, it } from 'vitest';
import { requestPayLink } from './request-pay-link.ts';

const ORDER = { visitId: '0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11', plateCharacters: 3 };
const LINK = { url: 'https://parking.example/pay#AQNn', expiresOn: '2026-11-21T11:00:00.000Z' };

let server: Server | null = null;
afterEach(async () => {
  if (server) await stopListening(server);
  server = null;
});

async function requestFrom(cloud: RequestListener) {
  server = createServer(cloud);
  const address = await listen(server, { host: '127.0.0.1', port: 0 }, 'nothing');
  return await requestPayLink({ httpUrl: `http://${address}`, siteId: 'one', secret: 'secret' }, ORDER);
}

it('sends the order as its site, and returns the link', async () => {
  const requests: unknown[] = [];
  const link = await requestFrom(async (request, response) => {
    requests.push([request.method, request.url, request.headers.authorization, await json(request)]);
    response.end(JSON.stringify(LINK));
  });
  expect(link).toEqual(LINK);
  expect(requests).toEqual([['POST', '/edge/pay-link', 'Bearer one.secret', ORDER]]);
});

it.each([
  ['the site takes no cards', 409, '{}', 'not-offered'],
  ['the visit is not there yet', 404, '{}', 'cloud-away'],
  ['the site is not let in', 401, '{}', 'cloud-away'],
  ['the answer is a page of a proxy', 200, '<html>', 'cloud-away'],
  ['the answer is another one', 200, '{"url":1}', 'cloud-away'],
])('gives a reason where %s', async (_what, status, body, reason) => {
  expect(await requestFrom((_request, response) => void response.writeHead(status).end(body))).toBe(reason);
});

it('gives a reason where the cloud does not answer', async () => {
  const away = { httpUrl: 'http://127.0.0.1:9', siteId: 'one', secret: 'secret' };
  expect(await requestPayLink(away, ORDER)).toBe('cloud-away');
});
