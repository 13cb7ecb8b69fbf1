import { afterEach, beforeEach, expect, it } from 'vitest';
import { addCustomer } from '../invoices/test-settlements.ts';
import { createTestApi, type TestApi } from '../test-api.ts';

let api: TestApi;
let productId: string;
beforeEach(async () => {
  api = await createTestApi();
  const light = { type: 'default', price: 500, vehicleCategory: 'light', productCode: 'L' };
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
      due: {
        amount: 1000,
        currency: 'ISK',
        units: 3,
        lines: [
          { rule: 'unit', units: 3, amount: 1500 },
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
