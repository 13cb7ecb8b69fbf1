import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { samplePicture } from '../../test/sample-pictures.ts';
import { type BringPicture, createPictureHttp } from './bring-picture.ts';

const BYTES = Buffer.from('the picture');

let server: http.Server;
let answer: (response: http.ServerResponse) => void;
let asked: { method: string; url: string; headers: http.IncomingHttpHeaders; body: Buffer }[];
let bring: BringPicture;

beforeEach(async () => {
  asked = [];
  server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      asked.push({ method, url, headers, body: Buffer.concat(chunks) });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  bring = createPictureHttp(access(), 300);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function access() {
  const { port } = server.address() as AddressInfo;
  return { httpUrl: `http://127.0.0.1:${port}`, siteId: 'site', secret: 'secret' };
}

const picture = samplePicture({ kind: 'plate', contentType: 'image/png' });
const brought = () => bring(picture, BYTES, new AbortController().signal);

it('brings it as it is, with what it is of', async () => {
  answer = (response) => response.writeHead(204).end();
  expect(await brought()).toEqual({ outcome: 'stored' });
  const [only] = asked;
  expect(only).toMatchObject({
    method: 'PUT',
    url: `/edge/pictures/${picture.readId}/plate`,
    headers: { authorization: 'Bearer site.secret', 'content-type': 'image/png' },
  });
  expect(only?.body.equals(BYTES)).toBe(true);
});

it.each<[number, string]>([
  [204, 'stored'],
  [200, 'stored'],
  [410, 'gone'],
  [400, 'refused'],
  [413, 'refused'],
  [415, 'refused'],
  [500, 'later'],
  [503, 'later'],
  [429, 'later'],
  // The site is not let in, or the cloud is from before pictures: none of them will do for now.
  [401, 'unreachable'],
  [403, 'unreachable'],
  [404, 'unreachable'],
  // Credentials go to the cloud alone.
  [302, 'unreachable'],
])('%i is %s', async (status, outcome) => {
  answer = (response) => response.writeHead(status, { location: 'http://127.0.0.1:9/' }).end('{}');
  expect((await brought()).outcome).toBe(outcome);
});

it('waits as long as it is asked to', async () => {
  answer = (response) => response.writeHead(503, { 'retry-after': '120' }).end();
  expect(await brought()).toMatchObject({ outcome: 'later', waitMs: 120_000 });
});

it('gives up on a cloud that is silent, hangs up, or is not there', async () => {
  answer = () => undefined;
  expect((await brought()).outcome).toBe('unreachable');
  answer = (response) => response.destroy();
  expect((await brought()).outcome).toBe('unreachable');
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect((await brought()).outcome).toBe('unreachable');
});
