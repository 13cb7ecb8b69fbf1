import { randomUUID } from 'node:crypto';
import type { PaymentStatus } from '@hlid/protocol/records/visit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { addCustomer, allInvoices, settle } from '../../../test/settlements.ts';
import { chargeTable } from '../../records/invoices/charge-table.ts';
import { incomeTable } from '../../records/invoices/income-table.ts';
import { vehicleTable } from '../../records/vehicles/vehicle-table.ts';
import { nextNumber } from './invoice-store.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const income = () => api.db.read(async (q) => await q.select().from(incomeTable));
const charges = () => api.db.read(async (q) => await q.select().from(chargeTable));

const JON = { ssn: '1201603389', name: 'Jón' };
const RENTAL = { ssn: '5305750209', name: 'Bílaleigan ehf.' };

async function register(plate: string, holders: { operator?: typeof JON; owner?: typeof JON }) {
  const holder = (one?: typeof JON) =>
    one ? { ...one, insuranceCode: null, registrationDate: null, purchaseDate: null } : null;
  await api.db.write(async ({ q }) => {
    await q.insert(vehicleTable).values({
      id: randomUUID(),
      plate,
      operator: holder(holders.operator),
      owner: holder(holders.owner),
      createdAt: api.now(),
      modifiedAt: api.now(),
    });
  });
}

it('what is paid at the kiosk is a paid invoice, and income of the day', async () => {
  const visitId = await settle(api, { plate: 'ABX12', amountMinor: 1240, units: 2 });
  const [invoice] = await allInvoices(api);
  expect(invoice).toMatchObject({
    number: 1,
    status: 'paid',
    visitId,
    siteId: api.site.id,
    amountMinor: 1240,
    issuedAt: api.now(),
    lines: [{ rule: 'visit', visitId, plate: 'ABX12', units: 2, amountMinor: 1240, vatRate: 24 }],
  });
  expect(await income()).toEqual([
    {
      siteId: api.site.id,
      day: '2026-11-21',
      paymentType: 'kiosk',
      vehicleCategory: 'light',
      currency: 'ISK',
      invoices: 1,
      amountMinor: 1240,
      tipsMinor: 0,
    },
  ]);
});

it('income belongs to the day that it is where the site is', async () => {
  const site = await api.addSite('Kiritimati', 'Pacific/Kiritimati');
  await settle(api, { siteId: site.id, at: '2026-12-31T11:00:00.000Z' });
  expect(await income()).toMatchObject([{ day: '2027-01-01' }]);
});

it.each(['kiosk', 'owner-invoice', 'company-invoice'] as const)(
  'the same %s settlement, sent twice, is invoiced once',
  async (paymentStatus) => {
    const customerId = await addCustomer(api);
    const same = { cause: 'epoch-7', id: randomUUID(), paymentStatus, customerId };
    await settle(api, same);
    await settle(api, same);
    expect((await allInvoices(api)).length + (await charges()).length).toBe(1);
  },
);

it('invoices are numbered one after the other, and one that came to nothing leaves no gap', async () => {
  await settle(api);
  await expect(
    api.db.write(async (tx) => {
      expect(await nextNumber(tx.q, '')).toMatchObject({ number: 2 });
      throw new Error('broken off');
    }),
  ).rejects.toThrow('broken off');
  await Promise.all([settle(api), settle(api), settle(api)]);
  expect((await allInvoices(api)).map(({ number }) => number).sort()).toEqual([1, 2, 3, 4]);
});

it('the operator of a vehicle pays, or else its owner', async () => {
  await register('AB123', { operator: RENTAL, owner: JON });
  await register('CD456', { owner: JON });
  await settle(api, { plate: 'AB123', paymentStatus: 'owner-invoice' });
  await settle(api, { plate: 'CD456', paymentStatus: 'owner-invoice' });
  const invoices = await allInvoices(api);
  const payerOf = (number: number) => invoices.find((invoice) => invoice.number === number);
  expect(payerOf(1)).toMatchObject({ status: 'draft', payerSsn: RENTAL.ssn, payerName: RENTAL.name });
  expect(payerOf(2)).toMatchObject({ status: 'draft', payerSsn: JON.ssn });
  expect(await income()).toMatchObject([{ paymentType: 'owner-invoice', invoices: 2, amountMinor: 2480 }]);
});

it('where the payer is not known, the invoice waits for a person and is no income', async () => {
  await settle(api, { paymentStatus: 'owner-invoice' });
  await settle(api, { paymentStatus: 'company-invoice', customerId: null });
  for (const invoice of await allInvoices(api)) {
    expect(invoice).toMatchObject({ number: null, status: 'draft', issuedAt: null, payerSsn: null });
  }
  expect(await income()).toEqual([]);
});

it('an owner who becomes known later gets the invoice that waited', async () => {
  await settle(api, { plate: 'AB123', paymentStatus: 'owner-invoice' });
  const visit = await api.visit({ plate: 'XX999', startedAt: '2026-11-21T08:00:00.000Z' });
  await settle(api, { id: visit.id, plate: 'XX999', paymentStatus: 'owner-invoice' });
  const owner = {
    ssn: JON.ssn,
    name: JON.name,
    insuranceCode: null,
    registrationDate: null,
    purchaseDate: null,
  };
  await api.call('POST', '/vehicle/AB123/override', { body: { values: { owner } } });
  // The second had been misread.
  expect((await api.call('PUT', `/visit/${visit.id}`, { body: { plate: 'AB123' } })).status).toBe(303);
  expect(await allInvoices(api)).toMatchObject([
    { payerSsn: JON.ssn, issuedAt: api.now() },
    { payerSsn: JON.ssn, issuedAt: api.now(), lines: [{ plate: 'AB123' }] },
  ]);
});

it('what a company owes waits for its collected invoice', async () => {
  const customerId = await addCustomer(api, { billingMethod: 'monthly' });
  const visitId = await settle(api, {
    paymentStatus: 'company-invoice',
    customerId,
    vehicleCategory: 'heavy',
  });
  expect(await charges()).toMatchObject([
    { customerId, visitId, amountMinor: 1240, vehicleCategory: 'heavy', vatRate: 24, invoiceId: null },
  ]);
  expect(await allInvoices(api)).toEqual([]);
  expect(await income()).toEqual([]);
});

it('the rate of VAT is that of the version that priced the visit', async () => {
  const product = { type: 'default', price: 1110, vatRate: 11, vehicleCategory: 'light', productCode: 'P' };
  const { id: productId } = await api.made('/products', product);
  // It has had another since the visit was priced.
  await api.call('PUT', `/products/${productId}`, { body: { vatRate: 24 } });
  await settle(api, { productId, vatRate: 11, amountMinor: 1110 });
  expect(await allInvoices(api)).toMatchObject([{ productId, lines: [{ vatRate: 11 }] }]);
});

it.each<[string, PaymentStatus, number]>([
  ['nothing', 'kiosk', 0],
  ['a permit', 'whitelisted', 500],
  ['a voided visit', 'void', 500],
  ['a failed payment', 'failed', 500],
])('%s makes no invoice', async (_what, paymentStatus, amountMinor) => {
  await settle(api, { paymentStatus, amountMinor });
  expect(await allInvoices(api)).toEqual([]);
});

it('a customer of the billing method whitelist owes nothing', async () => {
  const customerId = await addCustomer(api, { billingMethod: 'whitelist' });
  await settle(api, { paymentStatus: 'company-invoice', customerId });
  expect([await charges(), await allInvoices(api)]).toEqual([[], []]);
});

it('an exit that its site reports as the company’s becomes one charge, even if sent twice', async () => {
  const customerId = await addCustomer(api);
  const visit = await api.visit({ status: 'new' });
  await api.giveVisit(visit.id, customerId);
  const price = {
    amountMinor: 500,
    currency: 'ISK',
    lines: [{ rule: 'unit' as const, units: 1, amountMinor: 500 }],
    product: { id: 'p', version: 1 },
    pricedAt: api.now(),
  };
  const left = { ...visit, status: 'completed', paymentStatus: 'company-invoice', price } as const;
  await api.visit({ ...left, endedAt: '2026-11-21T09:00:00.000Z' });
  await api.visit({ ...left, endedAt: '2026-11-21T09:00:00.000Z' });
  expect(await charges()).toMatchObject([{ visitId: visit.id, customerId, amountMinor: 500, units: 1 }]);
});
