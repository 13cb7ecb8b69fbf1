import type { Visit } from '@hlid/protocol/records/visit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../../test/api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
  await api.made('/products', { type: 'default', price: 500, vehicleCategory: 'light', productCode: 'L' });
});
afterEach(() => api.close());

const DAY = (n: number) => `2026-11-${n}T08:00:00.000Z`;
const reason = 'It never left';
const join = (id: string, visitId: string, more: object = {}) =>
  api.call('POST', `/visit/${id}/join`, { body: { visitId, reason, ...more } });
const get = async (id: string) => (await api.call('GET', `/visit/${id}`)).body;
const lost = (more: Partial<Visit> = {}) =>
  api.visit({ startedAt: DAY(18), endedAt: DAY(20), flags: ['lost-exit'], ...more });

it('the earlier goes on, the later is voided, and the site hears of it in that order', async () => {
  const earlier = await lost();
  const later = await api.visit({ startedAt: DAY(20) });
  const answer = await join(later.id, earlier.id);
  expect([answer.status, answer.location]).toEqual([303, `/visit/${earlier.id}`]);
  expect(answer.body).toMatchObject({
    id: earlier.id,
    startedOn: DAY(18),
    endedOn: null,
    status: 'new',
    flags: [],
    history: [{ reason: `joined with visit ${later.id}: ${reason}` }],
  });
  expect(await get(later.id)).toMatchObject({
    status: 'completed',
    paymentStatus: 'void',
    history: [{ from: 'new', to: 'completed', reason: `joined to visit ${earlier.id}: ${reason}` }],
  });
  expect((await api.changes()).slice(-2)).toMatchObject([
    { kind: 'settlement', item: { visitId: later.id, paymentStatus: 'void' } },
    { kind: 'visit-edit', item: { visitId: earlier.id, endedAt: null, reviewed: ['lost-exit'] } },
  ]);
});

it('both have left: the whole stay is due, less what was paid for the earlier', async () => {
  const earlier = await lost({ unitsMet: 2, paymentStatus: 'kiosk' });
  const later = await api.visit({
    startedAt: DAY(20),
    endedAt: DAY(21),
    status: 'need-payment',
    exitLaneId: 'out-1',
    exitFoundBy: 'equal',
  });
  const { body } = await join(earlier.id, later.id);
  expect(body).toMatchObject({
    endedOn: DAY(21),
    status: 'need-payment',
    unitsMet: 2,
    price: { amount: 1500 },
    due: { amount: 500 },
    exitFoundBy: 'equal',
  });
  // The site knows nothing of the other's exit, and takes nothing from it.
  await api.visit(
    { ...earlier, endedAt: DAY(21), status: 'need-payment', exitFoundBy: null, unitsMet: 2 },
    { feedAt: 1_000 },
  );
  expect(await get(earlier.id)).toMatchObject({ exitFoundBy: 'equal' });
});

it('only visits that the join accepts are offered, whatever their plates have in common', async () => {
  const offered = async (id: string) => {
    const { body } = await api.call('GET', `/visit/${id}/joinable`);
    return z
      .array(z.looseObject({ id: z.string() }))
      .parse(body['data'])
      .map((one) => one.id);
  };
  const earlier = await lost();
  const later = await api.visit({ startedAt: DAY(20), endedAt: DAY(21) });
  expect(await offered(earlier.id)).toEqual([later.id]);
  expect(await offered(later.id)).toEqual([earlier.id]);
  // Paid, at another site, of another plate, and one with another visit in between.
  const elsewhere = await api.addSite('Airport');
  await api.visit({ startedAt: DAY(21), unitsMet: 1, paymentStatus: 'kiosk' });
  await api.visit({ startedAt: DAY(19) }, { siteId: elsewhere.id });
  await api.visit({ plate: 'KLM34', startedAt: DAY(21) });
  expect(await offered(earlier.id)).toEqual([later.id]);
  const between = await api.visit({ startedAt: DAY(19), endedAt: '2026-11-19T09:00:00.000Z' });
  expect(await offered(earlier.id)).toEqual([between.id]);
  expect((await join(earlier.id, later.id)).status).toBe(400);
  expect((await api.call('GET', '/visit/none/joinable')).status).toBe(404);
});

it('what the site invoiced for the earlier is not charged once more', async () => {
  const price = {
    amountMinor: 1000,
    currency: 'ISK',
    lines: [{ rule: 'unit' as const, units: 2, amountMinor: 1000 }],
    product: { id: 'light', version: 1 },
    pricedAt: DAY(20),
  };
  const earlier = await lost({ status: 'completed', paymentStatus: 'owner-invoice', price, flags: [] });
  const later = await api.visit({ startedAt: DAY(20), endedAt: DAY(21), status: 'need-payment' });
  const { body } = await join(earlier.id, later.id);
  expect(body).toMatchObject({
    unitsMet: 2,
    status: 'need-payment',
    price: { amount: 1500 },
    due: { amount: 500 },
  });
});

it('a plate that the earlier lacked comes from the later', async () => {
  const earlier = await api.visit({
    startedAt: DAY(18),
    plate: null,
    status: 'need-plate',
    flags: ['unreadable-plate'],
  });
  const later = await api.visit({ startedAt: DAY(20), plate: 'MKJ45' });
  expect((await join(earlier.id, later.id)).body).toMatchObject({ plate: 'MKJ45', status: 'new', flags: [] });
});

describe('is refused', () => {
  it.each([
    [{}, { unitsMet: 1 }, {}, 'cannot go to the earlier'],
    [{}, { paymentStatus: 'kiosk' }, {}, 'cannot go to the earlier'],
    [{ paymentStatus: 'void', status: 'completed' }, {}, {}, 'is voided'],
    [{}, { paymentStatus: 'void', status: 'completed', endedAt: DAY(21) }, {}, 'is voided'],
    [{}, { plate: 'MKJ45' }, {}, 'plate: say which is right'],
    [{ plate: null }, { plate: null }, {}, 'plate: neither has one'],
    [{}, {}, { reason: ' ' }, 'reason:'],
    [{}, {}, { visitId: 'none' }, 'visitId: there is no such visit'],
  ] satisfies [Partial<Visit>, Partial<Visit>, object, string][])(
    '%o with %o, %o',
    async (first, second, body, message) => {
      const earlier = await lost(first);
      const later = await api.visit({ startedAt: DAY(20), ...second });
      const changes = await api.changes();
      const answer = await join(earlier.id, later.id, body);
      expect([answer.status, answer.body['messages']]).toEqual([400, [expect.stringContaining(message)]]);
      expect(await api.changes()).toEqual(changes);
    },
  );

  it('of visits of two sites, of one with itself, and over one between', async () => {
    const other = await api.addSite('Airport');
    const earlier = await lost();
    const away = await api.visit({ startedAt: DAY(20) }, { siteId: other.id });
    expect((await join(earlier.id, away.id)).body['messages']).toEqual([
      'visitId: it is a visit of another site',
    ]);
    expect((await join(earlier.id, earlier.id)).body['messages']).toEqual(['visitId: it is the same visit']);
    const between = await api.visit({ startedAt: DAY(19), endedAt: DAY(20) });
    const later = await api.visit({ startedAt: DAY(20) });
    expect((await join(earlier.id, later.id)).body['messages']).toEqual([
      `Visit ${between.id} lies between them.`,
    ]);
    expect((await join('none', later.id)).status).toBe(404);
  });
});

describe('reviewed', () => {
  const review = (id: string, body: object) => api.call('POST', `/visit/${id}/reviewed`, { body });

  it('resolves all or some flags, and informs the site', async () => {
    const visit = await api.visit({ flags: ['uncertain-plate', 'gate-unconfirmed'] });
    expect((await review(visit.id, { flags: ['uncertain-plate', 'lost-exit'] })).body).toMatchObject({
      flags: ['gate-unconfirmed'],
      history: [{ reason: 'reviewed: uncertain-plate' }],
    });
    expect(await api.lastChange()).toMatchObject({
      kind: 'visit-edit',
      item: { reviewed: ['uncertain-plate'] },
    });
    expect((await review(visit.id, { reason: 'Fine' })).body).toMatchObject({ flags: [] });
    // The site had not received the edit when it sent this.
    await api.visit({ ...visit, flags: ['uncertain-plate', 'gate-unconfirmed'] });
    expect(await get(visit.id)).toMatchObject({ flags: [] });
    const changes = await api.changes();
    expect((await review(visit.id, {})).status).toBe(303);
    expect(await api.changes()).toEqual(changes);
  });

  it('is refused where it makes no sense', async () => {
    const visit = await api.visit();
    expect((await review(visit.id, { flags: ['dirty'] })).status).toBe(400);
    expect((await review('none', {})).status).toBe(404);
  });
});
