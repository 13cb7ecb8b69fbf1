import { newId } from '@hlid/node/new-id';
import type { EdgeCall } from '@hlid/protocol/site-link/edge-api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestSite } from '../../test/site.ts';
import { HelpCalls } from './kiosk-help-routes.ts';

let site: ReturnType<typeof createTestSite>;
let cloud: EdgeCall | null;
let calls: HelpCalls;
beforeEach(() => {
  site = createTestSite();
  cloud = null;
  const { stays, events, commit } = site.core;
  const clock = { now: () => new Date(site.now()) };
  calls = new HelpCalls({ stays, events, commit, clock, payments: null, askCall: async () => cloud });
});
afterEach(() => site.close());

const order = () => ({ id: newId(), visitId: null, language: 'pl' as const });
const wanted = () => site.events().filter(({ body }) => body.type === 'help.wanted');

it('is calling until a person accepts, and then says who', async () => {
  const { id } = order();
  expect(await calls.call({ id, visitId: newId(), language: 'pl' })).toEqual({
    id,
    state: 'calling',
    name: null,
  });
  expect(wanted()).toMatchObject([{ body: { callId: id, visitId: null, language: 'pl' } }]);
  cloud = { state: 'ringing', name: null };
  expect(await calls.state(id)).toMatchObject({ state: 'calling' });
  cloud = { state: 'accepted', name: 'Anna' };
  expect(await calls.state(id)).toMatchObject({ state: 'accepted', name: 'Anna' });
  cloud = { state: 'closed', name: 'Anna' };
  expect(await calls.state(id)).toMatchObject({ state: 'closed' });
  expect(await calls.state(newId())).toBeNull();
});

it('says that nobody is reached where the cloud is away, or nobody accepted in time', async () => {
  const one = order();
  await calls.call(one);
  site.wait(21_000);
  expect(await calls.state(one.id)).toMatchObject({ state: 'unreached' });
  const other = order();
  await calls.call(other);
  cloud = { state: 'missed', name: null };
  expect(await calls.state(other.id)).toMatchObject({ state: 'unreached' });
  // It is in the event log, for when the cloud is there again.
  expect(wanted()).toHaveLength(2);
});

it('is one call at a time, and a few an hour', async () => {
  const first = order();
  await calls.call(first);
  expect(await calls.call(order())).toMatchObject({ id: first.id });
  expect(wanted()).toHaveLength(1);
  for (let n = 0; n < 5; n++) {
    site.wait(21_000);
    await calls.call(order());
  }
  site.wait(21_000);
  expect(await calls.call(order())).toBe('too-many-requests');
  site.wait(3_600_000);
  expect(await calls.call(order())).toMatchObject({ state: 'calling' });
});
