import { siteDbPath } from '@hlid/edge/db/site-db';
import { type SiteBoard, SiteBoardSchema } from '@hlid/protocol/site-link/site-board';
import { deadline } from '@hlid/protocol/test/deadline';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type Network, startNetwork } from '../harness/network.ts';
import { logIn } from '../harness/operator.ts';
import { waitFor } from '../harness/wait.ts';

let network: Network;
beforeAll(async () => {
  network = await startNetwork();
});
afterAll(() => network?.stop());

const ViewSchema = z.looseObject({ connected: z.boolean(), board: SiteBoardSchema.nullable() });

/** The newest board of a stream, while it is open. */
function watchBoard() {
  const ending = new AbortController();
  const seen: { board: SiteBoard | null; connected: boolean } = { board: null, connected: false };
  const reading = (async () => {
    for await (const { name, data } of network.operator.stream(
      `/events?board=${network.site.siteId}`,
      ending.signal,
    )) {
      if (name !== 'board') continue;
      const { board, connected } = ViewSchema.parse(data);
      seen.board = board ?? seen.board;
      seen.connected = connected;
    }
  })().catch(() => undefined);
  return {
    seen,
    lane: (id: string) => seen.board?.lanes.find((lane) => lane.id === id),
    async end() {
      ending.abort();
      await reading;
    },
  };
}

const at = (what: string, body: object) =>
  network.operator.ask('POST', `/sites/${network.site.siteId}/${what}`, body);

it('watches the lanes, opens for the car that it means and for no other, and settles its visit with it', async () => {
  const [one, other] = [watchBoard(), watchBoard()];
  await network.lane('in-1').passes('ROOM11');
  for (const watch of [one, other]) {
    await waitFor(() => watch.lane('in-1')?.car?.plate === 'ROOM11', { what: 'the car on the board' });
  }
  expect(one.lane('in-1')).toMatchObject({ state: 'now', car: { open: true, reason: 'welcome' } });
  expect(one.lane('in-2')).toMatchObject({ state: 'idle', since: null });
  await network.lane('in-1').passes('KFX48');
  await network.settled();
  const [visit] = await network.operator.visits({ plate: 'KFX48' });
  const [earlier] = await network.operator.visits({ plate: 'ROOM11' });
  // The visits now look as if they had begun yesterday.
  for (const { id } of [visit, earlier].flatMap((found) => found ?? [])) {
    const startedOn = new Date(Date.now() - 26 * 3_600_000).toISOString();
    await network.operator.ask('PUT', `/visit/${id}`, { startedOn, reason: 'came yesterday' });
  }
  await network.settled();

  await network.lane('out-1').passes('ROOM11');
  await waitFor(() => one.lane('out-1')?.state === 'waiting', { what: 'the car that waits' });
  const meant = one.lane('out-1')?.car;
  expect(meant).toMatchObject({ plate: 'ROOM11', reason: 'need-payment', visitId: earlier?.id });
  expect(meant?.due?.amountMinor).toBeGreaterThan(0);
  // It backs away, and another car comes.
  await network.lane('out-1').passes('KFX48');
  await waitFor(() => one.lane('out-1')?.car?.plate === 'KFX48', { what: 'the other car' });
  const before = network.lane('out-1').openings();
  const why = { reasonCode: 'cannot-pay', settlement: 'paid-elsewhere' };
  const stale = await at('lanes/out-1/open', {
    ...why,
    passageId: meant?.passageId,
    visitId: meant?.visitId,
  });
  expect(stale).toMatchObject({ status: 409, body: { car: { plate: 'KFX48' } } });
  expect(network.lane('out-1').openings()).toBe(before);
  expect(await network.operator.visit(earlier?.id ?? '')).toMatchObject({ paymentStatus: null });

  const there = one.lane('out-1')?.car;
  const opened = await at('lanes/out-1/open', {
    ...why,
    passageId: there?.passageId,
    visitId: there?.visitId,
  });
  expect(opened).toMatchObject({ status: 200, body: { outcome: 'done', settled: 'kiosk' } });
  expect(network.lane('out-1').openings()).toBe(before + 1);
  // The gate opens before the site receives that the visit is settled, and ends it.
  await vi.waitFor(
    async () =>
      expect(await network.operator.visit(visit?.id ?? '')).toMatchObject({
        status: 'completed',
        paymentStatus: 'kiosk',
      }),
    { timeout: deadline(20_000), interval: 100 },
  );
  await Promise.all([one.end(), other.end()]);
});

it('sees who holds a gate and until when, also over a restart, after which the hold has lapsed', async () => {
  const watch = watchBoard();
  const held = await at('lanes/in-2/hold', { reasonCode: 'event', note: 'Concert', lapseMinutes: 30 });
  expect(held).toMatchObject({ status: 200 });
  await waitFor(() => watch.lane('in-2')?.gate.order?.confirmed === true, { what: 'the hold on the board' });
  expect(watch.lane('in-2')?.gate).toMatchObject({
    state: 'held-open',
    order: { reasonCode: 'event', note: 'Concert', name: expect.any(String) },
  });
  expect(network.relay.isOn(2)).toBe(true);
  await network.edge.stop();
  await waitFor(() => !watch.seen.connected, { what: 'the lost site on the board' });
  // The half hour is over while the site is away.
  const db = new Database(siteDbPath(network.folders.edge));
  const before = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  db.prepare('UPDATE gate_hold SET since = ?, lapses_at = ?').run(before(31), before(1));
  db.close();
  await network.edge.restart();
  await waitFor(() => !network.relay.isOn(2), { what: 'the gate to be released' });
  await waitFor(() => watch.seen.connected && watch.lane('in-2')?.gate.order === null, {
    what: 'the automatic lane on the board',
  });
  await watch.end();
});

it('answers a driver who calls for help from a kiosk: one of two operators has the call', async () => {
  const id = '01980000-0000-7000-8000-000000000041';
  const kiosk = async (path: string, body?: object) => {
    const url = new URL(`/api/kiosk/help${path}`, network.edge.localUrl());
    const headers = { 'content-type': 'application/json', origin: url.origin };
    const response = await fetch(url, body ? { method: 'POST', headers, body: JSON.stringify(body) } : {});
    return z.object({ state: z.string(), name: z.string().nullable() }).parse(await response.json());
  };
  expect(await kiosk('', { id, visitId: null, language: 'pl' })).toMatchObject({ state: 'calling' });
  await network.settled();
  expect(await kiosk(`/${id}`)).toMatchObject({ state: 'calling', name: null });
  const { cloud, apiKey } = network;
  const login = { email: 'bjarni@example.is', password: 'þrjár gular kýr á beit' };
  const account = { role: 'operator', status: 'active', name: 'Bjarni' };
  const made = await network.operator.ask('POST', '/accounts', { account, authentication: login });
  expect(made).toMatchObject({ status: 303 });
  const bjarni = { id: login.email, password: login.password };
  const second = await logIn({ cloudUrl: cloud.httpUrl(), apiKey, ...bjarni });
  const answers = await Promise.all(
    [network.operator, second].map((operator) => operator.ask('POST', `/call/${id}/accept`)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await kiosk(`/${id}`)).toMatchObject({ state: 'accepted', name: expect.any(String) });
  const winner = answers[0]?.status === 200 ? network.operator : second;
  const closed = await winner.ask('POST', `/call/${id}/close`, { done: 'explained' });
  expect(closed).toMatchObject({ status: 200 });
  expect(await kiosk(`/${id}`)).toMatchObject({ state: 'closed' });
});
