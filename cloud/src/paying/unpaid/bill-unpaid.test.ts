import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import { type ReviewFlag, ReviewFlagSchema } from '@hlid/protocol/records/visit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { reportPayment, samplePayment } from '../../../test/payments.ts';
import { addCustomer, allInvoices } from '../../../test/settlements.ts';
import { FLAG_DOUBTS } from '../../stays/charges/charge-doubts.ts';
import { billUnpaidRun } from './bill-unpaid.ts';

let api: TestApi;
let productId: string;
beforeEach(async () => {
  api = await createTestApi();
  const config = { startTime: '00:00', endTime: '23:59' };
  const body = { type: 'default', price: 500, vehicleCategory: 'light', productCode: 'DAY', config };
  productId = (await api.made('/products', body)).id;
  await setSite({ invoicesUnpaid: true, payAfterDays: 2 });
});
afterEach(() => api.close());

type Given = Partial<Parameters<TestApi['visit']>[0]>;

async function setSite(settings: Record<string, unknown>): Promise<void> {
  await api.call('PUT', `/sites/${api.site.id}`, { body: { settings } });
}

/** A stay that ended now and is not paid. @returns its id */
async function leftUnpaid(given: Given = {}): Promise<string> {
  const endedAt = api.now();
  const lines = [{ rule: 'unit' as const, units: 1, unitMinor: 500, amountMinor: 500 }];
  const product = { id: productId, version: 1, vatRate: 24 };
  const { id } = await api.visit({
    plate: 'ABX12',
    status: 'need-payment',
    startedAt: utcTime(millis(endedAt) - 3 * HOUR_MS),
    endedAt,
    exitFoundBy: 'equal',
    price: { amountMinor: 500, currency: 'ISK', lines, product, pricedAt: endedAt },
    ...given,
  });
  return id;
}

async function run(): Promise<void> {
  const { db } = api;
  await billUnpaidRun({ db }).work({ now: api.now(), signal: new AbortController().signal });
}

const waitDays = (days: number) => api.wait(days * DAY_MS + 1);
const shown = async (id: string) => (await api.call('GET', `/visit/${id}`)).body;

it('bills the owner of a car whose stay was not paid in its days, once, and never before', async () => {
  const id = await leftUnpaid();
  waitDays(1);
  await run();
  expect(await shown(id)).toMatchObject({ status: 'need-payment', paymentStatus: null });
  waitDays(1);
  await Promise.all([run(), run(), run()]);
  await run();
  expect(await shown(id)).toMatchObject({ status: 'completed', paymentStatus: 'owner-invoice' });
  expect(await allInvoices(api)).toMatchObject([
    { visitId: id, paymentType: 'owner-invoice', amountMinor: 500 },
  ]);
  const { body } = await api.call('GET', `/visit/${id}/timeline`);
  expect(JSON.stringify(body)).toContain('not paid in its days');
});

it('leaves all to a person where the site does not bill by itself', async () => {
  await setSite({ invoicesUnpaid: false });
  const id = await leftUnpaid();
  waitDays(30);
  expect(await billUnpaidRun(api).isDue?.(api.now())).toBe(false);
  await run();
  expect(await shown(id)).toMatchObject({ status: 'need-payment' });
});

it.each(ReviewFlagSchema.options)('bills nothing on doubt, and the rest: %s', async (flag: ReviewFlag) => {
  const id = await leftUnpaid({ flags: [flag] });
  waitDays(3);
  await run();
  const isBilled = FLAG_DOUBTS[flag] === 'charge';
  expect(await shown(id)).toMatchObject({ paymentStatus: isBilled ? 'owner-invoice' : null });
});

it.each(['near', 'confusable'] as const)('bills nothing by a plate that is %s', async (exitFoundBy) => {
  const id = await leftUnpaid({ exitFoundBy });
  waitDays(3);
  await run();
  expect(await shown(id)).toMatchObject({ status: 'need-payment', paymentStatus: null });
});

it('takes what turned up meanwhile: a company that has the car, or a permit', async () => {
  const customerId = await addCustomer(api, { billingMethod: 'daily' });
  const byCompany = await leftUnpaid({ plate: 'CMP12' });
  const permitted = await leftUnpaid({ plate: 'PRM12' });
  const custody = { plate: 'CMP12', customerId, dateFrom: '2026-01-01T00:00:00.000Z' };
  expect((await api.call('POST', '/custodians', { body: custody })).status).toBe(303);
  await api.made('/visit/whitelist', { plate: 'PRM12', reason: 'Permit holder' });
  waitDays(3);
  await run();
  const statuses = await Promise.all([byCompany, permitted].map(shown));
  expect(statuses).toMatchObject([
    { paymentStatus: 'company-invoice', status: 'completed' },
    { paymentStatus: 'whitelisted', status: 'completed' },
  ]);
  expect(await allInvoices(api)).toEqual([]);
});

it('stands still while it is contested, and begins again with the answer', async () => {
  const id = await leftUnpaid();
  const body = { visitId: id, channel: 'telephone', text: 'I was abroad.' };
  const { id: disputeId } = (await api.call('POST', '/disputes', { body })).body;
  waitDays(10);
  await run();
  expect(await shown(id)).toMatchObject({ status: 'need-payment', paymentStatus: null });
  const answer = { outcome: 'rejected', answer: 'The picture shows your car.' };
  expect((await api.call('POST', `/dispute/${disputeId}/answer`, { body: answer })).status).toBe(303);
  waitDays(1);
  await run();
  expect(await shown(id)).toMatchObject({ status: 'need-payment', paymentStatus: null });
  waitDays(1);
  await run();
  expect(await shown(id)).toMatchObject({ paymentStatus: 'owner-invoice' });
});

it('waits for a payment of which the end is not known, however old it is', async () => {
  const id = await leftUnpaid();
  const payment = samplePayment({ visitId: id, createdAt: api.now(), changedAt: api.now() });
  await reportPayment(api, { ...payment, state: 'unknown' });
  waitDays(20);
  await run();
  expect(await shown(id)).toMatchObject({ status: 'need-payment', paymentStatus: null });
});

it('begins with the day on which the end of a stay was known here', async () => {
  const endedAt = utcTime(millis(api.now()) - 10 * DAY_MS);
  const id = await leftUnpaid({ startedAt: utcTime(millis(endedAt) - HOUR_MS), endedAt });
  await run();
  expect(await shown(id)).toMatchObject({ status: 'need-payment' });
  waitDays(2);
  await run();
  expect(await shown(id)).toMatchObject({ paymentStatus: 'owner-invoice' });
});
