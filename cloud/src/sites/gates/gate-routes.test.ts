import { CommandSchema } from '@hlid/protocol/site-link/commands';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { type ActingCaller, ALL_RIGHTS } from '../../platform/http/caller.ts';
import { openingTable } from '../../records/gates/opening-table.ts';
import { openingRun } from './settle-opening.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
  api.bus.play(api.site.id);
});
afterEach(() => api.close());

const BODY = { reasonCode: 'guest', note: 'A bicycle' };
const command = (
  verb: string,
  options: { site?: string; lane?: string; body?: unknown; token?: string } = {},
) => {
  const { site = api.site.id, lane = 'out-1', body = BODY, ...more } = options;
  return api.call('POST', `/sites/${site}/lanes/${lane}/${verb}`, { body, ...more });
};
const commands = () => api.bus.sent.map(({ payload }) => CommandSchema.parse(JSON.parse(payload)));

describe.each(['open', 'hold', 'close', 'release'])('%s', (verb) => {
  it('sends it to the site, and returns the result', async () => {
    const answer = await command(verb);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: expect.any(String),
      outcome: 'done',
      lanes: [{ laneId: 'out-1', outcome: 'done' }],
      settled: null,
    });
    expect(commands()).toMatchObject([
      {
        id: answer.body['id'],
        action: verb,
        laneId: 'out-1',
        by: 'account:the-operator',
        name: 'operator',
        reasonCode: 'guest',
        reason: 'A bicycle',
        passageId: null,
        lapseMinutes: verb === 'hold' ? 60 : null,
      },
    ]);
  });

  it('is for operators only', async () => {
    expect((await command(verb, { token: await api.account('customer') })).status).toBe(403);
    expect(commands()).toEqual([]);
  });

  it('needs a reason that is known, and with `other` a note', async () => {
    for (const body of [
      { reasonCode: 'whim' },
      { reasonCode: 'other', note: ' ' },
      { ...BODY, force: true },
    ]) {
      expect((await command(verb, { body })).status).toBe(400);
    }
  });
});

it('audits the command before the site receives it, and the answer after', async () => {
  const seen: string[] = [];
  api.bus.play(api.site.id, () => {
    void api.audited().then((rows) => seen.push(...rows.map(({ action }) => action)));
    return { outcome: 'refused', lanes: [{ laneId: 'out-1', outcome: 'refused' }] };
  });
  const answer = await command('hold');
  const rows = (await api.audited()).filter(({ action }) => action.startsWith('gate.'));
  expect(rows).toHaveLength(2);
  expect(rows.find(({ action }) => action === 'gate.hold')).toMatchObject({
    by: 'account:the-operator',
    subjectId: api.site.id,
    reason: 'A bicycle',
  });
  expect(rows.find(({ action }) => action === 'gate.hold.answer')?.after).toMatchObject({
    outcome: 'refused',
  });
  expect(seen).toContain('gate.hold');
  expect(answer.status).toBe(502);
});

it.each([
  ['refused', 'out-1: the gate refused, or cannot do that'],
  ['unreachable', 'out-1: the gate cannot be reached; nothing was done'],
  ['unknown', 'out-1: the gate did not answer; it may have moved'],
] as const)('says of a gate that is %s what that means', async (outcome, message) => {
  api.bus.play(api.site.id, () => ({ outcome, lanes: [{ laneId: 'out-1', outcome }] }));
  const answer = await command('open');
  expect([answer.status, answer.body['messages']]).toEqual([502, [message]]);
});

it('answers at once where the site is not connected, and keeps nothing for it', async () => {
  api.bus.disconnect(api.site.id);
  expect((await command('open')).status).toBe(503);
  expect(commands()).toEqual([]);
});

it('does not wait long for a site that is silent', async () => {
  api.bus.play(api.site.id, () => null);
  const answer = await command('open');
  expect(answer.status).toBe(504);
});

it('says a command again with its echo to a site whose clock is off, and no other', async () => {
  const echo = '01980000-0000-7000-8000-000000000007';
  api.bus.play(api.site.id, (command) =>
    command.echo === echo ? {} : { outcome: 'expired', lanes: [], echo },
  );
  expect((await command('open')).status).toBe(200);
  const [first, second] = commands();
  expect([first?.id === second?.id, first?.echo, second?.echo]).toEqual([true, null, echo]);
});

it('takes no other site’s word for it', async () => {
  api.bus.play(api.site.id, ({ id, sentAt }) => {
    api.bus.deliver('another-site', 'cmd/reply', {
      v: 1,
      id,
      outcome: 'done',
      lanes: [],
      echo: null,
      at: sentAt,
    });
    return null;
  });
  expect((await command('open')).status).toBe(504);
});

it('knows neither a site nor a lane that is not there', async () => {
  expect((await command('open', { site: 'nowhere' })).status).toBe(404);
  api.bus.play(api.site.id, () => ({ outcome: 'unknown-lane', lanes: [] }));
  const answer = await command('open', { lane: 'out-9' });
  expect([answer.status, answer.body['messages']]).toEqual([404, ['There is no such lane at this site.']]);
  api.bus.play(api.site.id, () => ({ outcome: 'no-gate', lanes: [] }));
  const free = await command('open', { lane: 'in-1' });
  expect([free.status, free.body['messages']]).toEqual([404, ['There is no such gate at this lane.']]);
});

it.each(['hold', 'release'])('%ss every gate of a site', async (verb) => {
  const answer = await api.call('POST', `/sites/${api.site.id}/gates/${verb}`, { body: BODY });
  expect(answer.status).toBe(200);
  expect(commands()).toMatchObject([{ action: verb, laneId: null }]);
  const gone = await api.call('POST', `/sites/nowhere/gates/${verb}`, { body: BODY });
  expect(gone.status).toBe(404);
  const { status } = await api.call('POST', `/sites/${api.site.id}/gates/${verb}`, {
    body: BODY,
    token: await api.account('partner'),
  });
  expect(status).toBe(403);
});

const PASSAGE = '01980000-0000-7000-8000-000000000021';

it('does nothing for a car that is not there any more, and shows which one is', async () => {
  const car = {
    passageId: '01980000-0000-7000-8000-000000000022',
    visitId: null,
    plate: 'MKJ45',
    since: '2026-11-21T11:59:00.000Z',
  };
  api.bus.play(api.site.id, ({ id }) => ({ id, outcome: 'stale', lanes: [], car }));
  const answer = await command('open', { body: { ...BODY, passageId: PASSAGE } });
  expect([answer.status, answer.body['car']]).toEqual([409, car]);
  expect(commands()).toMatchObject([{ passageId: PASSAGE }]);
});

describe('opening for a car that owes', () => {
  const owing = () =>
    api.visit({
      plate: 'ABX12',
      status: 'need-payment',
      price: {
        amountMinor: 500,
        currency: 'ISK',
        lines: [],
        pricedAt: '2026-11-21T11:59:00.000Z',
        product: { id: 'day', version: 1 },
      },
    });
  const openFor = async (settlement: string, more: object = {}, token = api.operator) => {
    const { id: visitId } = await owing();
    const body = { ...BODY, passageId: PASSAGE, visitId, settlement, ...more };
    return { visitId, answer: await command('open', { body, token }) };
  };
  const stateOf = async (id: string) => (await api.call('GET', `/visit/${id}`)).body;
  const left = () => api.db.read(async (q) => await q.select().from(openingTable));

  it.each([
    ['paid-elsewhere', 'kiosk', 'kiosk'],
    ['waived', 'void', 'void'],
    ['invoice', 'owner-invoice', 'owner-invoice'],
    ['bill-later', null, null],
  ])('settles the visit with it: %s', async (settlement, settled, paymentStatus) => {
    const { visitId, answer } = await openFor(settlement);
    expect([answer.status, answer.body['settled']]).toEqual([200, settled]);
    expect(await stateOf(visitId)).toMatchObject({ paymentStatus });
    const rows = await api.audited();
    expect(rows.find(({ action }) => action === 'gate.open')).toMatchObject({
      by: 'account:the-operator',
      after: { visitId, settlement, reasonCode: 'guest' },
    });
    expect(rows.some(({ action }) => action === 'visit.update')).toBe(settled !== null);
    expect(await left()).toEqual([]);
  });

  it.each([
    ['the answer is lost', null, 504],
    [
      'the gate does not answer',
      { outcome: 'unknown', lanes: [{ laneId: 'out-1', outcome: 'unknown' }] },
      502,
    ],
  ] as const)('settles it also where %s, since the car may have left', async (_why, reply, status) => {
    api.bus.play(api.site.id, () => reply && { ...reply, lanes: [...reply.lanes] });
    const { visitId, answer } = await openFor('paid-elsewhere');
    expect(answer.status).toBe(status);
    expect(answer.body['messages']).toContain('The visit is settled all the same: kiosk.');
    expect(await stateOf(visitId)).toMatchObject({ paymentStatus: 'kiosk' });
  });

  it.each(['stale', 'refused', 'unreachable', 'unknown-lane', 'no-gate'] as const)(
    'settles nothing where the gate certainly did not move: %s',
    async (outcome) => {
      api.bus.play(api.site.id, () => ({ outcome, lanes: [] }));
      const { visitId } = await openFor('waived');
      expect(await stateOf(visitId)).toMatchObject({ paymentStatus: null });
      expect(await left()).toEqual([]);
    },
  );

  it('is settled by the next cloud where this one ends before it knows the answer', async () => {
    const { id: visitId } = await owing();
    const caller: ActingCaller = {
      kind: 'account',
      accountId: 'the-operator',
      role: 'operator',
      customerId: null,
      tokenId: 't',
      rights: ALL_RIGHTS,
    };
    await api.db.write(async ({ q }) => {
      const place = { siteId: api.site.id, laneId: 'out-1', visitId, requestId: 'r', at: api.now() };
      const why = { settlement: 'paid-elsewhere', reasonCode: 'guest', note: '', caller } as const;
      await q.insert(openingTable).values({ ...place, ...why, id: PASSAGE });
    });
    const run = openingRun(api.db);
    expect(await run.isDue?.(api.now())).toBe(false);
    api.wait(61_000);
    expect(await run.isDue?.(api.now())).toBe(true);
    await run.work({ now: api.now(), signal: new AbortController().signal });
    expect(await stateOf(visitId)).toMatchObject({ paymentStatus: 'kiosk' });
    expect(await run.isDue?.(api.now())).toBe(false);
  });

  it('is refused before anything moves where the visit cannot be settled so', async () => {
    const { id: visitId } = await api.visit({ plate: null, status: 'need-plate' });
    const body = { ...BODY, visitId, settlement: 'invoice' };
    expect((await command('open', { body })).status).toBe(400);
    expect(
      (await command('open', { body: { ...BODY, visitId: 'nobody', settlement: 'waived' } })).status,
    ).toBe(400);
    const elsewhere = await api.visit({ plate: 'FAR11' }, { siteId: (await api.addSite('Airport')).id });
    const other = { ...BODY, visitId: elsewhere.id, settlement: 'waived' };
    expect((await command('open', { body: other })).status).toBe(400);
    expect(commands()).toEqual([]);
  });

  it('needs the right to change visits', async () => {
    const token = await api.account('operator', { permissions: ['lanes'] });
    expect((await openFor('waived', {}, token)).answer.status).toBe(403);
    expect((await openFor('bill-later', {}, token)).answer.status).toBe(200);
  });
});
