import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../../test/api.ts';
import { addCustomer } from '../../../../test/settlements.ts';

let api: TestApi;
let productId: string;
beforeEach(async () => {
  api = await createTestApi();
  const light = { type: 'default', price: 500, vatRate: 24, vehicleCategory: 'light', productCode: 'L' };
  productId = (await api.made('/products', light)).id;
});
afterEach(() => api.close());

const START = '2026-11-19T08:00:00.000Z';
const trace = (id: string, token?: string) =>
  api.call('GET', `/visit/${id}/price`, token === undefined ? {} : { token });

it('says what makes the price now, and what the exit would decide', async () => {
  const visit = await api.visit({ startedAt: START, unitsMet: 1 });
  const free = { reason: 'First hours free', expireOn: '2026-11-19T10:00:00Z' };
  await api.made(`/visit/${visit.id}/whitelist`, free);
  const answer = await trace(visit.id);
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      from: START,
      until: api.now(),
      ended: false,
      category: null,
      covered: [{ from: START, to: '2026-11-19T10:00:00.000Z' }],
      unitsMet: { payments: 1, quota: 0 },
      paid: 0,
      price: { amount: 1500, currency: 'ISK' },
      due: {
        amount: 1000,
        currency: 'ISK',
        units: 3,
        lines: [
          { rule: 'unit', units: 3, unitAmount: 500, amount: 1500 },
          { rule: 'units-met', units: -1, amount: -500 },
        ],
        product: { id: productId, version: 1, vatRate: 24 },
      },
      stored: null,
      decision: { open: false, reason: 'need-payment', settlement: null },
    },
  ]);
});

it('of a customer that is billed opens the gate', async () => {
  const visit = await api.visit({ startedAt: START });
  await api.giveVisit(visit.id, await addCustomer(api, { billingMethod: 'monthly' }));
  expect((await trace(visit.id)).body['decision']).toEqual({
    open: true,
    reason: 'company-invoice',
    settlement: 'company-invoice',
  });
});

it('of a visit that is over stops there, and decides nothing', async () => {
  const endedAt = '2026-11-20T07:00:00.000Z';
  const visit = await api.visit({ startedAt: START, endedAt, quota: { id: 'q', units: 1 } });
  expect((await trace(visit.id)).body).toMatchObject({
    until: endedAt,
    ended: true,
    unitsMet: { payments: 0, quota: 1 },
    due: { amount: 0, units: 1 },
    decision: null,
  });
});

it('is of own visits only', async () => {
  const visit = await api.visit();
  await api.giveVisit(visit.id, 'c1');
  expect((await trace(visit.id, await api.account('customer', { customerId: 'c1' }))).status).toBe(200);
  expect((await trace(visit.id, await api.account('customer', { customerId: 'c2' }))).status).toBe(404);
  expect((await trace('none')).status).toBe(404);
  expect((await trace(visit.id, await api.roleToken('kiosk'))).status).toBe(403);
});

/** The price of a stay, the amount due, and the explanation of both, wherever the API returns them. */
async function amountsOf(id: string) {
  const AmountsSchema = z.object({
    price: z.object({
      amount: z.number(),
      lines: z.array(z.object({ rule: z.string(), amount: z.number() })),
    }),
    due: z.object({ amount: z.number() }),
  });
  const { price, due } = AmountsSchema.parse((await api.call('GET', `/visit/${id}`)).body);
  const listed = (await api.call('GET', '/visits')).body['data'];
  expect(
    AmountsSchema.parse(
      z
        .array(z.object({ id: z.string() }).loose())
        .parse(listed)
        .find((v) => v.id === id),
    ),
  ).toEqual({
    price,
    due,
  });
  const traced = (await trace(id)).body;
  expect(traced).toMatchObject({
    price: { amount: price.amount },
    due: { amount: due.amount, lines: price.lines },
  });
  const sum = (lines: typeof price.lines) => lines.reduce((total, { amount }) => total + amount, 0);
  expect(sum(price.lines)).toBe(due.amount);
  const met = ['units-met', 'paid', 'invoiced'];
  expect(sum(price.lines.filter(({ rule }) => !met.includes(rule)))).toBe(price.amount);
  return [price.amount, due.amount];
}

describe('price and due add up', () => {
  const day = 24 * 3_600_000;

  it('while it is inside, once it has paid, as it stays on, and when it is over', async () => {
    const { id } = await api.visit({ startedAt: '2026-11-21T11:00:00.000Z' });
    expect(await amountsOf(id)).toEqual([500, 500]);
    await api.call('PUT', `/visit/${id}`, { body: { paymentStatus: 'kiosk' } });
    expect(await amountsOf(id)).toEqual([500, 0]);
    api.wait(day);
    expect(await amountsOf(id)).toEqual([1000, 500]);
    await api.call('PUT', `/visit/${id}`, { body: { status: 'need-payment', reason: 'It asked' } });
    expect(await amountsOf(id)).toEqual([1000, 500]);
    await api.call('PUT', `/visit/${id}`, { body: { paymentStatus: 'kiosk' } });
    const ended = { endedOn: api.now(), status: 'completed', reason: 'It has left' };
    expect((await api.call('PUT', `/visit/${id}`, { body: ended })).status).toBe(303);
    expect(await amountsOf(id)).toEqual([1000, 0]);
  });

  it('with a quota, by an invoice that its site has made, turned round, and voided', async () => {
    const quota = await api.visit({ startedAt: START, plate: 'QUO01', quota: { id: 'q', units: 1 } });
    expect((await amountsOf(quota.id))[0]).toBe(1500);
    const price = {
      amountMinor: 1000,
      currency: 'ISK',
      pricedAt: api.now(),
      lines: [{ rule: 'unit' as const, units: 2, amountMinor: 1000 }],
      product: { id: productId, version: 1 },
    };
    const ended = { startedAt: START, endedAt: api.now(), price };
    const billed = {
      ...ended,
      plate: 'INV01',
      status: 'completed',
      paymentStatus: 'company-invoice',
    } as const;
    expect(await amountsOf((await api.visit(billed)).id)).toEqual([1000, 0]);
    const turned = await api.visit({ startedAt: api.now(), plate: 'TUR01' });
    api.wait(60_000);
    expect(await amountsOf(turned.id)).toEqual([0, 0]);
    const unpaid = await api.visit({ ...ended, plate: 'UNP01', status: 'need-payment' });
    expect(await amountsOf(unpaid.id)).toEqual([1000, 1000]);
    await api.call('PUT', `/visit/${unpaid.id}`, { body: { paymentStatus: 'void', reason: 'An ambulance' } });
    expect(await amountsOf(unpaid.id)).toEqual([0, 0]);
  });
});
