import { utcTime } from '@hlid/protocol/base/utc-time';
import { CALL_RINGS_MS } from '@hlid/protocol/site-link/edge-api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { callRun, ingestCall } from './calls.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const CALL = '01980000-0000-7000-8000-000000000031';
async function ring(callId = CALL, agoMs = 0, siteId = api.site.id): Promise<string> {
  const arrivedAt = api.now();
  const at = utcTime(Date.parse(arrivedAt) - agoMs);
  const wanted = { type: 'help.wanted', callId, terminalId: 'pos-1', visitId: null, language: 'pl' } as const;
  await api.db.write((tx) => ingestCall(tx, { siteId, at, arrivedAt }, wanted));
  return callId;
}
async function eventTypes() {
  const { body } = await api.call('GET', '/webhooks/events?after=0');
  return z
    .array(z.looseObject({ type: z.string() }))
    .parse(body['data'])
    .map(({ type }) => type);
}

it('rings for all, and belongs to who accepts it first', async () => {
  await ring();
  expect((await api.call('GET', '/calls')).body['data']).toMatchObject([
    { id: CALL, state: 'ringing', language: 'pl', accepted: null },
  ]);
  const other = await api.account('operator');
  const [one, two] = await Promise.all([
    api.call('POST', `/call/${CALL}/accept`),
    api.call('POST', `/call/${CALL}/accept`, { token: other }),
  ]);
  expect([one.status, two.status].sort()).toEqual([200, 409]);
  const loser = one.status === 409 ? one : two;
  expect(loser.body).toMatchObject({
    messages: ['This call was accepted by operator.'],
    call: { state: 'accepted', accepted: { name: 'operator' } },
  });
  const [winner, late] = one.status === 200 ? [api.operator, other] : [other, api.operator];
  // Sent again it is accepted still.
  expect((await api.call('POST', `/call/${CALL}/accept`, { token: winner })).status).toBe(200);
  const body = { done: 'opened', note: 'The terminal was dark' };
  expect((await api.call('POST', `/call/${CALL}/close`, { body, token: late })).status).toBe(409);
  expect(
    (await api.call('POST', `/call/${CALL}/close`, { body: { done: 'other' }, token: winner })).status,
  ).toBe(400);
  expect((await api.call('POST', `/call/${CALL}/close`, { body, token: winner })).body).toMatchObject({
    state: 'closed',
    closed: body,
  });
  expect((await api.call('GET', '/calls')).body['data']).toEqual([]);
  expect((await api.call('GET', '/calls?over=true')).body['data']).toMatchObject([{ id: CALL }]);
  expect(await eventTypes()).toEqual(['call.opened', 'call.accepted', 'call.closed']);
  const audited = (await api.audited()).map(({ action }) => action);
  expect(audited).toEqual(expect.arrayContaining(['call.accepted', 'call.closed']));
});

it('rings on until it expires, and is missed then; one that comes too late rings nowhere', async () => {
  await ring();
  const run = callRun(api.db);
  api.wait(CALL_RINGS_MS - 1000);
  expect(await run.isDue?.(api.now())).toBe(false);
  api.wait(2000);
  expect(await run.isDue?.(api.now())).toBe(true);
  await run.work({ now: api.now(), signal: new AbortController().signal });
  const late = await ring('01980000-0000-7000-8000-000000000032', CALL_RINGS_MS + 1000);
  const over = (await api.call('GET', '/calls?over=true')).body['data'];
  expect(over).toMatchObject([{ state: 'missed' }, { state: 'missed' }]);
  expect((await api.call('GET', '/calls')).body['data']).toEqual([]);
  expect((await api.call('POST', `/call/${late}/accept`)).status).toBe(409);
});

it('is read by its own site only, which tells the driver', async () => {
  await ring();
  const token = `${api.site.id}.${api.site.secret}`;
  await api.call('POST', `/call/${CALL}/accept`);
  const answer = await api.call('GET', `/edge/calls/${CALL}`, { token });
  expect([answer.status, answer.body]).toEqual([200, { state: 'accepted', name: 'operator' }]);
  const other = await api.addSite('Airport');
  const theirs = await api.call('GET', `/edge/calls/${CALL}`, { token: `${other.id}.${other.secret}` });
  expect(theirs.status).toBe(404);
});
