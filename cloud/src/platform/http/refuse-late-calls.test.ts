import { utcTime } from '@hlid/protocol/base/utc-time';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
  api.bus.play(api.site.id);
});
afterEach(() => api.close());

const open = (headers: Record<string, string>) =>
  api.call('POST', `/sites/${api.site.id}/lanes/out-1/open`, { body: { reasonCode: 'guest' }, headers });
const inSeconds = (seconds: number) => utcTime(Date.parse(api.now()) + seconds * 1000);

it('opens a gate until the deadline of the call, and not after it', async () => {
  expect((await open({ deadline: inSeconds(1) })).status).toBe(200);
  expect(api.bus.sent).toHaveLength(1);
  const late = await open({ deadline: inSeconds(-1) });
  expect(late.status).toBe(409);
  expect(late.body['codes']).toMatchObject([{ code: 'after-deadline' }]);
  expect(api.bus.sent).toHaveLength(1);
});

it('does later what it refused with the same key, once that has a new deadline', async () => {
  const key = { 'idempotency-key': 'press-1' };
  expect((await open({ ...key, deadline: inSeconds(-1) })).status).toBe(409);
  expect((await open({ ...key, deadline: inSeconds(5) })).status).toBe(200);
  expect(api.bus.sent).toHaveLength(1);
});

it.each(['soon', '2026-11-21', ''])('refuses the deadline "%s"', async (deadline) => {
  const answer = await open({ deadline });
  expect(answer.status).toBe(400);
  expect(answer.body['codes']).toMatchObject([{ code: 'deadline-form', path: ['Deadline'] }]);
  expect(api.bus.sent).toEqual([]);
});

it('refuses every changing call that is late, whatever it would change', async () => {
  const zones = (await api.call('GET', '/zones')).body['data'];
  const body = { name: 'Late', settings: {} };
  const late = await api.call('POST', '/zones', { body, headers: { deadline: inSeconds(-1) } });
  expect(late.status).toBe(409);
  expect((await api.call('GET', '/zones')).body['data']).toEqual(zones);
});
