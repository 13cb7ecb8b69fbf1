import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { frame, TINY_JPEG } from '../../../test/sample-documents.ts';

const PICTURE = Buffer.from(TINY_JPEG, 'base64');

let api: TestApi;
let path: string;
let id: string;

beforeEach(async () => {
  api = await createTestApi();
  const camera = (await api.made('/cameras', { name: 'In', location: 'entrance', remoteId: 'cam-in' })).id;
  const body = frame('ABX12', api.now());
  const answer = await api.call('POST', `/photos/open-alpr?camera.id=${camera}`, { body });
  path = String(answer.body['url']);
  id = String(answer.body['id']);
});
afterEach(async () => await api.close());

async function get(headers: Record<string, string> = {}, method = 'GET') {
  const authorization = `Bearer ${api.operator}`;
  const response = await api.app.request(path, { method, headers: { authorization, ...headers } });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, header: (name: string) => response.headers.get(name), bytes };
}

test('the whole picture, to be seen as an image and kept by no shared cache', async () => {
  const answer = await get();
  expect(answer.status).toBe(200);
  expect(answer.bytes.equals(PICTURE)).toBe(true);
  expect(answer.header('content-type')).toBe('image/jpeg');
  expect(answer.header('content-length')).toBe(String(PICTURE.length));
  expect(answer.header('accept-ranges')).toBe('bytes');
  expect(answer.header('cache-control')).toBe('private, no-cache');
  expect(answer.header('content-security-policy')).toContain("default-src 'none'");
  expect(answer.header('content-security-policy')).toContain('sandbox');
  expect(answer.header('x-content-type-options')).toBe('nosniff');
});

describe('Range', () => {
  const end = PICTURE.length - 1;
  test.each([
    ['bytes=0-3', 0, 3],
    ['bytes=10-', 10, end],
    ['bytes=-5', end - 4, end],
    [`bytes=5-${end + 1000}`, 5, end],
    ['bytes=-100000', 0, end],
  ])('%s is answered in part', async (range, from, to) => {
    const answer = await get({ range });
    expect(answer.status).toBe(206);
    expect(answer.header('content-range')).toBe(`bytes ${from}-${to}/${PICTURE.length}`);
    expect(answer.bytes.equals(PICTURE.subarray(from, to + 1))).toBe(true);
    expect(answer.header('content-length')).toBe(String(to - from + 1));
  });

  test.each([`bytes=${PICTURE.length}-`, 'bytes=-0', 'bytes=999999-1000000'])(
    '%s: it ends before',
    async (range) => {
      const answer = await get({ range });
      expect(answer.status).toBe(416);
      expect(answer.header('content-range')).toBe(`bytes */${PICTURE.length}`);
    },
  );

  test.each(['bytes=5-2', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=-', 'bytes=a-b'])(
    '%s is passed over',
    async (range) => {
      expect((await get({ range })).status).toBe(200);
    },
  );

  test('holds only for the picture that the caller has a part of', async () => {
    expect((await get({ range: 'bytes=0-3', 'if-range': `"${id}"` })).status).toBe(206);
    expect((await get({ range: 'bytes=0-3', 'if-range': '"other"' })).status).toBe(200);
  });
});

test('a client that has it does not get it again', async () => {
  const tag = (await get()).header('etag') ?? '';
  for (const known of [tag, `"x", W/${tag}`, '*']) {
    const answer = await get({ 'if-none-match': known });
    expect([answer.status, answer.bytes.length]).toEqual([304, 0]);
  }
  expect((await get({ 'if-none-match': '"other"' })).status).toBe(200);
});

test('HEAD describes it', async () => {
  const answer = await get({}, 'HEAD');
  expect([answer.status, answer.bytes.length]).toEqual([200, 0]);
  expect(answer.header('content-length')).toBe(String(PICTURE.length));
});

test('a picture that the store has lost is not there', async () => {
  await api.context.pictures.delete(`${api.site.id}/${api.now().slice(0, 10)}/${id}.jpg`);
  expect((await get()).status).toBe(404);
});

test('an unknown query parameter is refused', async () => {
  expect((await api.call('GET', `${path}?size=large`)).status).toBe(400);
});
