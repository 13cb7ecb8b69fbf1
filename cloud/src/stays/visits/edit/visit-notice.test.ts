import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../../test/api.ts';
import { addCustomer, allInvoices } from '../../../../test/settlements.ts';
import { visitTable } from '../../../records/visits/visit-table.ts';

let api: TestApi;
let id: string;
beforeEach(async () => {
  api = await createTestApi();
  const tariff = {
    bands: [{ steps: [{ kind: 'each', everyMinutes: 60, priceMinor: 300 }] }],
    lateFee: { afterMinutes: 60, amountMinor: 1490 },
  };
  const config = { startTime: '00:00', endTime: '23:59', tariff };
  const body = { type: 'default', price: 0, vehicleCategory: 'light', productCode: 'L', config };
  const product = { id: (await api.made('/products', body)).id, version: 1, vatRate: 24 };
  const lines = [{ rule: 'step' as const, units: 2, unitMinor: 300, amountMinor: 600, minutes: 60 }];
  const endedAt = '2026-11-21T11:00:00.000Z';
  const price = { amountMinor: 600, currency: 'ISK', lines, product, pricedAt: endedAt };
  const stay = { startedAt: '2026-11-21T09:00:00.000Z', endedAt, price };
  id = (await api.visit({ ...stay, plate: 'LAT01', status: 'need-payment' })).id;
});
afterEach(() => api.close());

const chargesLateFees = (charges: boolean) =>
  api.call('PUT', `/sites/${api.site.id}`, { body: { settings: { chargesLateFees: charges } } });
const notice = (deliveredOn: string) => api.call('POST', `/visit/${id}/notice`, { body: { deliveredOn } });
const shown = async () => (await api.call('GET', `/visit/${id}`)).body;

it('a late fee is charged where the site does so, after its time from a delivered notice, with its date', async () => {
  await chargesLateFees(true);
  api.wait(24 * 3_600_000);
  expect(await shown()).toMatchObject({ noticeOn: null, due: { amount: 600 } });
  const deliveredOn = api.now();
  expect((await notice(deliveredOn)).status).toBe(303);
  expect((await notice(deliveredOn)).status).toBe(422);
  api.wait(3_600_000);
  expect(await shown()).toMatchObject({ noticeOn: deliveredOn, due: { amount: 600 } });
  api.wait(1);
  const late = { price: { amount: 2090 }, due: { amount: 2090 } };
  expect(await shown()).toMatchObject(late);
  expect((await api.call('GET', `/visit/${id}/price`)).body).toMatchObject(late);
  await api.call('PUT', `/visit/${id}`, { body: { paymentStatus: 'kiosk' } });
  const [invoice] = await allInvoices(api);
  expect(invoice).toMatchObject({ amountMinor: 2090 });
  const { body } = await api.call('GET', `/invoice/${invoice?.id}`);
  expect(body['lines']).toMatchObject([
    { rule: 'visit', amount: 600 },
    { rule: 'late-fee', amount: 1490, noticeOn: deliveredOn },
  ]);
  expect(await shown()).toMatchObject({ status: 'completed', due: { amount: 0 } });
});

it('a collected invoice names it too, and no discount is of it', async () => {
  await chargesLateFees(true);
  await api.giveVisit(id, await addCustomer(api, { billingMethod: 'daily', discount: 50 }));
  await notice('2026-11-21T11:00:00.000Z');
  api.wait(1);
  await api.call('PUT', `/visit/${id}`, { body: { paymentStatus: 'company-invoice' } });
  api.wait(24 * 3_600_000);
  await api.call('POST', '/billing/runs', { body: {} });
  expect(await allInvoices(api)).toMatchObject([
    {
      amountMinor: 300 + 1490,
      lines: [
        { rule: 'visit' },
        { rule: 'late-fee', noticeAt: '2026-11-21T11:00:00.000Z' },
        { amountMinor: -300 },
      ],
    },
  ]);
});

it.each(['company-invoice', 'owner-invoice'])(
  'one that goes with a withdrawn %s was never counted as paid',
  async (paymentStatus) => {
    await chargesLateFees(true);
    await api.giveVisit(id, await addCustomer(api, { billingMethod: 'daily' }));
    await notice('2026-11-21T11:00:00.000Z');
    api.wait(1);
    const paid = async () =>
      await api.db.read((q) => q.select({ of: visitTable.paidMinor }).from(visitTable));
    await api.db.write(async ({ q }) => void (await q.update(visitTable).set({ paidMinor: 2000 })));
    await api.call('PUT', `/visit/${id}`, { body: { paymentStatus } });
    expect(await paid()).toEqual([{ of: 2600 }]);
    await api.call('PUT', `/visit/${id}`, { body: { status: 'new', reason: 'Not their car' } });
    expect(await paid()).toEqual([{ of: 2000 }]);
    expect(await allInvoices(api)).toEqual([]);
  },
);

it('none is charged elsewhere, nor without a notice, and a notice is for who has left owing something', async () => {
  await notice('2026-11-21T11:00:00.000Z');
  api.wait(24 * 3_600_000);
  expect(await shown()).toMatchObject({ due: { amount: 600 } });
  for (const deliveredOn of ['2026-11-21T10:59:59.000Z', '2027-01-01T00:00:00.000Z']) {
    expect((await notice(deliveredOn)).status).toBe(400);
  }
  const inside = await api.visit({ plate: 'INS01', startedAt: '2026-11-21T09:00:00.000Z' });
  const answer = await api.call('POST', `/visit/${inside.id}/notice`, { body: { deliveredOn: api.now() } });
  expect(answer.status).toBe(400);
});

it.each(['void', 'whitelisted'])('nobody owes or pays it once the visit is %s', async (paymentStatus) => {
  await chargesLateFees(true);
  await notice('2026-11-21T11:00:00.000Z');
  api.wait(1);
  await api.call('PUT', `/visit/${id}`, { body: { paymentStatus, reason: 'Broken machine' } });
  expect(await shown()).toMatchObject({ due: { amount: 0 }, status: 'completed' });
  const invoiced = (await allInvoices(api)).reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  expect(invoiced).toBe(0);
});
