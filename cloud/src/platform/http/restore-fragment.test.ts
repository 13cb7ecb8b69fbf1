import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

it.each([
  ['/pay%23secret', '/pay#secret'],
  ['/pay/?lang=is%23secret', '/pay/?lang=is#secret'],
  ['/pay?lang=en%23a%23b', '/pay?lang=en#a%23b'],
  ['/pay/7KWM%23secret', '/pay/7KWM#secret'],
  ['/pay/driver%23secret', '/pay/driver#secret'],
  ['/recover%23secret', '/recover#secret'],
  ['/console/all/visits%23secret', '/console/all/visits#secret'],
])('sends a browser from %s to %s', async (sent, meant) => {
  const answer = await api.app.request(sent);
  expect([answer.status, answer.headers.get('location')]).toEqual([302, meant]);
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

it.each(['/pay/api/sites/a%23b', '/payments%23a', '/search?q=a%23b'])('leaves %s alone', async (address) => {
  expect((await api.app.request(address)).status).not.toBe(302);
});
