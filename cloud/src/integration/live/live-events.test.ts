import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { PassThrough } from 'node:stream';
import { listen, stopListening } from '@hlid/node/listen';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { revokeToken } from '../../people/auth/tokens.ts';
import { lte } from '../../platform/db/sql.ts';
import { ALL_RIGHTS, ALL_ROWS } from '../../platform/http/caller.ts';
import type { CloudEnv } from '../../platform/http/cloud-env.ts';
import { INTEGRATION_EVENT, recordEvent } from '../../records/integration-events/record-event.ts';
import { integrationEventTable } from '../../records/webhooks/integration-event-table.ts';
import { LiveEvents } from './live-events.ts';
import { liveRoutes } from './live-routes.ts';

const NEVER_MS = 3_600_000;

let api: TestApi;
let live: LiveEvents;
beforeEach(async () => {
  api = await createTestApi();
  live = new LiveEvents(api.context, { checkEveryMs: NEVER_MS, heartbeatEveryMs: NEVER_MS });
});
afterEach(async () => {
  live.stop();
  await api.close();
});

interface Sent {
  name: string;
  id: number | null;
  data: Record<string, unknown>;
}

/** The events of a stream, one by one. */
async function* sentIn(body: PassThrough): AsyncGenerator<Sent, void> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      const name = field('event');
      if (name === undefined) continue;
      const id = field('id');
      const data = z.record(z.string(), z.unknown()).parse(JSON.parse(field('data') ?? ''));
      yield { name, id: id === undefined ? null : Number(id), data };
    }
  }
}

const OPERATOR = {
  own: ALL_ROWS,
  rights: ALL_RIGHTS,
  accountId: 'a1',
  tokenId: 't1',
  isLive: async () => true,
};

async function open(after: number | null = null, caller: Parameters<LiveEvents['open']>[0] = OPERATOR) {
  const out = new PassThrough();
  await live.open(caller, out, after);
  const sent = sentIn(out);
  const next = async (count: number) => {
    const got: Sent[] = [];
    while (got.length < count) {
      const { value, done } = await sent.next();
      if (done || value === undefined) break;
      got.push(value);
    }
    return got;
  };
  return { next, end: () => sent.return() };
}

const record = async (subjectId: string = randomUUID()) =>
  await api.db.write((tx) =>
    recordEvent(tx, { type: 'visit.updated', subjectId, siteId: api.site.id, at: api.now() }),
  );

/** Records an event as another process does: nothing is announced here. */
const recordElsewhere = async () =>
  await api.db.write(async ({ q }) => {
    const event = { type: 'visit.updated', subjectId: 'v', siteId: api.site.id, at: api.now() } as const;
    await q.insert(integrationEventTable).values(event);
  });

const numbers = (sent: readonly Sent[]) => sent.map(({ id }) => id);

describe('streams', () => {
  const limited = (all: number, ofAccount: number) =>
    new LiveEvents(api.context, { checkEveryMs: NEVER_MS, heartbeatEveryMs: NEVER_MS }, { all, ofAccount });
  /** @returns whether it was opened */
  const isOpened = async (of: LiveEvents, accountId: string) => {
    const out = new PassThrough();
    await of.open({ ...OPERATOR, accountId }, out, null);
    return { out, opened: !out.writableEnded };
  };

  it('of one account leave room for those of others, and what ends makes room', async () => {
    const several = limited(10, 3);
    const opened = await Promise.all(Array.from({ length: 8 }, () => isOpened(several, 'greedy')));
    expect(opened.filter((one) => one.opened)).toHaveLength(3);
    expect([several.isFullFor('greedy'), several.isFullFor('other'), several.isFull]).toEqual([
      true,
      false,
      false,
    ]);
    expect((await isOpened(several, 'other')).opened).toBe(true);
    const [first] = opened.filter((one) => one.opened);
    if (first === undefined) throw new RangeError('one was opened');
    const closed = once(first.out, 'close');
    first.out.destroy();
    await closed;
    expect(several.isFullFor('greedy')).toBe(false);
    several.stop();
  });

  it('are no more than a cloud carries', async () => {
    const several = limited(4, 3);
    const opened = await Promise.all(Array.from({ length: 8 }, (_, n) => isOpened(several, `account-${n}`)));
    expect(opened.filter((one) => one.opened)).toHaveLength(4);
    expect(several.isFull).toBe(true);
    several.stop();
    expect(several.isFull).toBe(false);
  });

  it('are forty of an account, and two thousand of a cloud, unless set otherwise', async () => {
    const usual = new LiveEvents(api.context, { checkEveryMs: NEVER_MS, heartbeatEveryMs: NEVER_MS });
    const openedOf = async (accountId: string, n: number) => {
      const tried = await Promise.all(Array.from({ length: n }, () => isOpened(usual, accountId)));
      return tried.filter((one) => one.opened).length;
    };
    const opened = [await openedOf('account-0', 45)];
    for (let n = 1; n < 51; n++) opened.push(await openedOf(`account-${n}`, 40));
    expect(opened).toEqual([...Array(50).fill(40), 0]);
    usual.stop();
  });

  it.each([
    { of: 'an account', status: 429, all: 10, ofAccount: 0 },
    { of: 'a cloud', status: 503, all: 0, ofAccount: 10 },
  ])('of $of are counted at the route', async ({ status, all, ofAccount }) => {
    const route = liveRoutes(api.context, limited(all, ofAccount));
    const caller = {
      kind: 'account',
      accountId: 'a1',
      role: 'operator',
      customerId: null,
      tokenId: 't1',
      rights: ALL_RIGHTS,
    } as const;
    const app = new Hono<CloudEnv>().use(async (c, next) => {
      c.set('caller', caller);
      await next();
    });
    expect((await app.route('/', route).request('/events')).status).toBe(status);
  });
});

describe('a stream', () => {
  it('begins with where it is, then has what happens', async () => {
    await record();
    const stream = await open();
    const [ready] = await stream.next(1);
    expect(ready).toEqual({ name: 'ready', id: 1, data: { n: 1, reset: false } });
    await record('some-visit');
    const [change] = await stream.next(1);
    expect(change).toMatchObject({
      name: 'change',
      id: 2,
      data: { n: 2, type: 'visit.updated', subject: { id: 'some-visit', path: '/visit/some-visit' } },
    });
  });

  it('goes on after the last event of its reader, without a gap, while others write', async () => {
    for (let n = 0; n < 150; n++) await record();
    const writing = (async () => {
      for (let n = 0; n < 50; n++) await record();
    })();
    const streams = await Promise.all([open(0), open(100), open(149)]);
    await writing;
    for (const [at, stream] of streams.entries()) {
      const from = [0, 100, 149][at] ?? 0;
      const sent = await stream.next(1 + 200 - from);
      expect(numbers(sent)).toEqual(Array.from({ length: 201 - from }, (_, n) => from + n));
    }
  });

  it.each([
    ['a number of the future, as after a backup was restored', 99],
    ['a number whose next events are deleted', 2],
  ])('asks the reader to read everything again: %s', async (_what, after) => {
    for (let n = 0; n < 5; n++) await record();
    await api.db.write(
      async ({ q }) => void (await q.delete(integrationEventTable).where(lte(integrationEventTable.n, 3))),
    );
    const [ready] = await (await open(after)).next(1);
    expect(ready).toEqual({ name: 'ready', id: 5, data: { n: 5, reset: true } });
  });

  it('has what another process recorded, announced or not', async () => {
    live = new LiveEvents(api.context, { checkEveryMs: 20, heartbeatEveryMs: NEVER_MS });
    const stream = await open();
    await stream.next(1);
    await recordElsewhere();
    expect(numbers(await stream.next(1))).toEqual([1]);
    await recordElsewhere();
    api.db.announced(new Set([INTEGRATION_EVENT]));
    expect(numbers(await stream.next(1))).toEqual([2]);
  });

  it('says that it is alive, and ends with the token', async () => {
    live = new LiveEvents(api.context, { checkEveryMs: NEVER_MS, heartbeatEveryMs: 20 });
    let isLive = true;
    const stream = await open(null, { ...OPERATOR, isLive: async () => isLive });
    const [, beat] = await stream.next(2);
    expect(beat).toEqual({ name: 'alive', id: null, data: { on: api.now() } });
    isLive = false;
    const rest = await stream.next(1000);
    expect(rest.every(({ name }) => name === 'alive')).toBe(true);
  });

  it('shows a customer what is theirs, and nothing of others', async () => {
    const own = { all: false, customerId: 'anna', author: 'account:a' } as const;
    const stream = await open(null, { ...OPERATOR, own });
    const of = async (customerId: string) => {
      const visit = await api.visit({ plate: randomUUID().slice(0, 6) });
      await api.giveVisit(visit.id, customerId);
      await record(visit.id);
      return visit.id;
    };
    await api.visit({ plate: 'NOBODY' });
    await of('bob');
    const hers = await of('anna');
    const [, first] = await stream.next(2);
    expect(first?.data).toMatchObject({ subject: { id: hers } });
  });

  it('shows an operator what happens at their sites, of what they may read', async () => {
    const own = { all: true, siteIds: [api.site.id] } as const;
    const rights = { permissions: ['visits'], siteIds: own.siteIds } as const;
    const stream = await open(null, { ...OPERATOR, own, rights });
    const other = (await api.addSite('Airport')).id;
    const at = async (siteId: string | null, type: 'visit.updated' | 'invoice.issued', subjectId: string) =>
      await api.db.write((tx) => recordEvent(tx, { type, subjectId, siteId, at: api.now() }));
    await at(other, 'visit.updated', 'elsewhere');
    await at(null, 'visit.updated', 'nowhere');
    await at(api.site.id, 'invoice.issued', 'money');
    await at(api.site.id, 'visit.updated', 'here');
    const [, first] = await stream.next(2);
    expect(first?.data).toMatchObject({ subject: { id: 'here' } });
  });

  it('ends at once with the session that is revoked, and with no other', async () => {
    const [stream, other] = [await open(null, { ...OPERATOR, tokenId: 'revoked' }), await open()];
    await other.next(1);
    await api.db.write((tx) => revokeToken(tx, 'revoked', api.now()));
    expect((await stream.next(1000)).map(({ name }) => name)).toEqual(['ready']);
    await record();
    expect(numbers(await other.next(1))).toEqual([1]);
  });

  it('lets go of a reader that does not read, and of no other', async () => {
    const stuck = new PassThrough();
    await live.open(OPERATOR, stuck, null);
    const quick = await open();
    await quick.next(1);
    for (let n = 1; n <= 600; n++) {
      await record();
      expect(numbers(await quick.next(1))).toEqual([n]);
    }
    const got: Sent[] = [];
    for await (const sent of sentIn(stuck)) got.push(sent);
    expect(got.length).toBeLessThan(601);
    expect(numbers(got)).toEqual(Array.from(got, (_, n) => n));
  });

  it('costs nothing once there is no reader', async () => {
    const stream = await open();
    await stream.next(1);
    await stream.end();
    await record();
    const [ready] = await (await open()).next(1);
    expect(ready?.data).toEqual({ n: 1, reset: false });
  });
});

describe('GET /events', () => {
  it.each([
    ['a wrong Last-Event-ID', '/events', { 'last-event-id': 'x' }],
    ['a wrong number', '/events?after=-1', {}],
    ['another parameter', '/events?before=1', {}],
  ])('refuses %s', async (_what, path, headers) => {
    expect((await api.call('GET', path, { headers })).status).toBe(400);
  });

  it('is a stream that no proxy holds back', async () => {
    const { status, headers } = await api.call('GET', '/events', { headers: { 'last-event-id': '0' } });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect([headers.get('cache-control'), headers.get('x-accel-buffering')]).toEqual(['no-store', 'no']);
  });

  it('goes over a connection with the head of every answer, until the reader goes', async () => {
    const server = createAdaptorServer({ fetch: api.app.fetch }) as Server;
    const url = `http://${await listen(server, { host: '127.0.0.1', port: 0 }, 'X')}`;
    const ask = async (method: string, signal: AbortSignal | null = null) => {
      const headers = { authorization: `Bearer ${api.operator}` };
      return await fetch(`${url}/events?board=${api.site.id}`, { method, headers, signal });
    };
    const head = await ask('HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    const going = new AbortController();
    const response = await ask('GET', going.signal);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('x-request-id')).toBeTruthy();
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const reader = response.body?.getReader();
    let text = '';
    while (!text.includes('event: board')) text += new TextDecoder().decode((await reader?.read())?.value);
    expect(text.startsWith('retry: 2000\n\nid: 0\nevent: ready\n')).toBe(true);
    const { boards } = api.context;
    api.bus.deliver(api.site.id, 'board', {
      v: 1,
      at: api.now(),
      lanes: [],
      waiting: [],
      zones: [],
      alarms: [],
      alerts: [],
    });
    expect(boards.newest(api.site.id)).not.toBeNull();
    going.abort();
    await expect.poll(() => boards.newest(api.site.id)).toBeNull();
    await stopListening(server);
  });
});
