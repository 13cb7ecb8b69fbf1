import type { SiteBoard } from '@hlid/protocol/site-link/site-board';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { SiteBoards } from '../../platform/broker/site-boards.ts';
import { SitePresence } from '../../sites/sites/site-presence.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const EMPTY: SiteBoard = {
  v: 1,
  at: '2026-11-21T12:00:00.000Z',
  lanes: [],
  waiting: [],
  zones: [],
  alarms: [],
  alerts: [],
};
const ONLINE = {
  v: 1,
  online: true,
  epoch: '01980000-0000-7000-8000-000000000001',
  seq: 0,
  acknowledged: 0,
  feedAt: 0,
  feedMark: null,
  software: 'edge',
  at: '2026-11-21T12:00:00.000Z',
};
const leases = () => api.bus.sent.filter(({ leaf }) => leaf === 'board/lease').length;

/** The next events of a stream by their names. */
async function stream(path: string, token = api.operator) {
  const response = await api.app.request(path, { headers: { authorization: `Bearer ${token}` } });
  const reader = response.body?.getReader();
  let text = '';
  return {
    status: response.status,
    async next(name: string) {
      for (;;) {
        for (;;) {
          const end = text.indexOf('\n\n');
          if (end === -1) break;
          const block = text.slice(0, end);
          text = text.slice(end + 2);
          if (!block.includes(`event: ${name}\n`)) continue;
          return z.record(z.string(), z.unknown()).parse(JSON.parse(/data: (.*)/.exec(block)?.[1] ?? ''));
        }
        const { value, done } = (await reader?.read()) ?? { done: true, value: undefined };
        if (done) throw new Error(`the stream ended before ${name}`);
        text += new TextDecoder().decode(value);
      }
    },
    end: () => reader?.cancel(),
  };
}

async function presence() {
  const log = pino({ level: 'silent' });
  const { db, bus, clock } = api;
  const started = new SitePresence({ db, bus, clock, log, isOnlyOne: false });
  await started.start();
  return started;
}

it('streams the board of a site beside the events, by a lease that ends with the last reader', async () => {
  expect(leases()).toBe(0);
  const [one, other] = [
    await stream(`/events?board=${api.site.id}`),
    await stream(`/events?board=${api.site.id}`),
  ];
  expect(await one.next('board')).toMatchObject({ siteId: api.site.id, connected: false, board: null });
  await expect.poll(leases).toBe(2);
  api.bus.deliver(api.site.id, 'board', EMPTY);
  for (const reader of [one, other]) {
    let seen = await reader.next('board');
    while (seen['board'] === null) seen = await reader.next('board');
    expect(seen).toMatchObject({ connected: true, receivedOn: api.now(), board: { waiting: [] } });
  }
  await one.end();
  await other.end();
  await expect.poll(() => api.context.boards.newest(api.site.id)).toBeNull();
});

it('renews the lease while a person reads, and at once when the site comes back', async () => {
  const log = pino({ level: 'silent' });
  const boards = new SiteBoards({ bus: api.bus, clock: api.clock, log, renewMs: 20 });
  boards.start();
  const unwatch = boards.watch(api.site.id, () => undefined);
  await expect.poll(leases).toBeGreaterThan(2);
  unwatch();
  const ended = leases();
  api.bus.deliver(api.site.id, 'presence', ONLINE);
  expect(leases()).toBe(ended);
  boards.watch(api.site.id, () => undefined);
  api.bus.deliver(api.site.id, 'presence', ONLINE);
  expect(leases()).toBeGreaterThanOrEqual(ended + 2);
  boards.stop();
});

it('says when a site is lost and when it is there again', async () => {
  const sites = await presence();
  const reader = await stream(`/events?board=${api.site.id}&after=0`);
  await reader.next('board');
  api.bus.deliver(api.site.id, 'presence', ONLINE);
  expect(await reader.next('board')).toMatchObject({ connected: true, since: api.now() });
  api.wait(60_000);
  api.bus.deliver(api.site.id, 'presence', { v: 1, online: false });
  expect(await reader.next('board')).toMatchObject({ connected: false, since: api.now() });
  await sites.stop();
  const { body } = await api.call('GET', '/webhooks/events?after=0');
  const events = z.array(z.looseObject({ type: z.string() })).parse(body['data']);
  expect(events.map(({ type }) => type)).toEqual(['site.connected', 'site.lost']);
  await reader.end();
});

it('reads the board once: the site answers, or is known not to', async () => {
  const path = `/sites/${api.site.id}/lanes`;
  expect((await api.call('GET', path)).body).toEqual({
    siteId: api.site.id,
    connected: false,
    since: null,
    receivedOn: null,
    board: null,
    actions: ['open', 'settle', 'hold', 'close', 'release', 'picture'],
  });
  const ofLanes = await api.account('operator', { permissions: ['lanes'] });
  expect((await api.call('GET', path, { token: ofLanes })).body).toMatchObject({
    actions: ['open', 'hold', 'close', 'release', 'picture'],
  });
  const sites = await presence();
  api.bus.deliver(api.site.id, 'presence', ONLINE);
  await sites.stop();
  const asked = api.call('GET', path);
  await expect.poll(leases).toBe(1);
  api.bus.deliver(api.site.id, 'board', EMPTY);
  expect((await asked).body).toMatchObject({ connected: true, board: { lanes: [] } });
});

it('is for operators with the permission, at their sites', async () => {
  const other = (await api.addSite('Airport')).id;
  const status = async (path: string, token: string) => (await api.call('GET', path, { token })).status;
  const money = await api.account('operator', { permissions: ['money'] });
  const here = await api.account('operator', { siteIds: [api.site.id] });
  expect(await status(`/events?board=${api.site.id}`, await api.account('customer'))).toBe(403);
  expect(await status(`/events?board=${api.site.id}`, money)).toBe(403);
  expect(await status(`/events?board=${api.site.id},${other}`, here)).toBe(404);
  expect(await status('/events?board=nowhere', api.operator)).toBe(404);
  expect(await status(`/events?board=${api.site.id}`, here)).toBe(200);
});
