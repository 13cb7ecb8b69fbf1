import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../../test/api.ts';
import { addCustomer, settle } from '../../../../test/settlements.ts';
import { eq } from '../../../platform/db/sql.ts';
import { chargeTable } from '../../../records/invoices/charge-table.ts';
import { invoiceTable } from '../../../records/invoices/invoice-table.ts';
import { VisitAggregateSchema } from './visit-aggregate.ts';

const SSN = '5305750209';
const PAYER = '1203894569';
let api: TestApi;
let customerId: string;

/** A visit that was paid, and what its invoice is then. */
async function invoiced(plate: string, fields: Partial<typeof invoiceTable.$inferInsert>, day: number) {
  const visit = await api.visit({ plate, startedAt: `2026-11-${day}T08:00:00.000Z` });
  const cause = randomUUID();
  await settle(api, { id: visit.id, plate, cause, paymentStatus: 'kiosk' });
  await api.db.write(async ({ q }) => {
    await q.update(invoiceTable).set(fields).where(eq(invoiceTable.cause, cause));
  });
  return visit.id;
}

beforeAll(async () => {
  api = await createTestApi();
  customerId = await addCustomer(api, { billingMethod: 'monthly' }, { ssn: SSN });
  await api.visit({ plate: 'NONE', startedAt: '2026-11-10T08:00:00.000Z' });
  await invoiced('PAID', { receiptLastFour: '4242', receiptType: 'visa' }, 11);
  await invoiced('BOOKED', { remoteStatus: 'completed', payerSsn: PAYER }, 12);
  await invoiced('BACK', { status: 'refunded' }, 13);
  await invoiced('DRAFT', { status: 'draft' }, 14);
  await invoiced('FAILED', { status: 'failed' }, 15);
  await invoiced('UNKNOWN', { status: 'incomplete' }, 16);
  // Collected with others: its invoice names no visit.
  const company = await api.visit({ plate: 'COMPANY', startedAt: '2026-11-17T08:00:00.000Z' });
  await api.giveVisit(company.id, customerId);
  await settle(api, { id: company.id, plate: 'COMPANY', customerId, paymentStatus: 'company-invoice' });
  const collected = await invoiced('OTHER', { visitId: null, payerSsn: SSN, remoteStatus: 'completed' }, 18);
  await api.db.write(async ({ q }) => {
    const [invoice] = await q.select().from(invoiceTable).where(eq(invoiceTable.payerSsn, SSN));
    await q.update(chargeTable).set({ invoiceId: invoice?.id ?? null });
  });
  expect(collected).toBeDefined();
});
afterAll(() => api.close());

it.each([
  ['card.lastFour=4242', ['PAID']],
  ['card.lastFour=0000', []],
  ['invoice.status=paid', ['COMPANY', 'BOOKED', 'PAID']],
  ['invoice.status=paid-accounting', ['COMPANY', 'BOOKED']],
  ['invoice.status=refunded', ['BACK']],
  ['invoice.status=draft', ['DRAFT']],
  ['invoice.status=failed', ['FAILED']],
  ['invoice.status=incomplete', ['UNKNOWN']],
  ['invoice.status=paid&card.lastFour=4242&plate=paid', ['PAID']],
  [`ssn=${SSN}`, ['COMPANY']],
  ['ssn=530575-0209', ['COMPANY']],
  [`ssn=${PAYER}`, ['BOOKED']],
  ['ssn=120389-4579', []],
])('?%s', async (query, expected) => {
  expect(await api.plates(`/visits?${query}`)).toEqual(expected);
  expect((await api.call('GET', `/visits/counts?${query}`)).body).toMatchObject({ count: expected.length });
});

it('a customer finds nothing by them that is not its own', async () => {
  const token = await api.account('customer', { customerId });
  expect(await api.plates('/visits?invoice.status=paid', { token })).toEqual(['COMPANY']);
  expect(await api.plates(`/visits?ssn=${PAYER}`, { token })).toEqual([]);
  const { body } = await api.call('GET', '/visits?aggregate=plate', { token });
  expect(body['extra']).toMatchObject({ aggregate: { counted: 1, groups: [{ key: 'COMPANY' }] } });
});

it('shows the collected invoice, the customer and the vehicle', async () => {
  await api.call('POST', '/vehicle/COMPANY/override', {
    body: { values: { make: 'Toyota', model: 'Hilux', color: 'red', country: 'IS', category: 'heavy' } },
  });
  const { body } = await api.call('GET', '/visits?plate=company');
  expect(body['data']).toMatchObject([
    {
      invoice: { status: 'paid', amount: 1240, currency: 'ISK' },
      customer: { id: customerId, name: 'Bílaleigan ehf.' },
      vehicle: { regno: 'COMPANY', make: 'Toyota', model: 'Hilux', color: 'red', country: 'IS' },
    },
  ]);
});

it.each([
  ['status', 2, { key: 'new', count: 9, due: {} }],
  ['site', 1, { count: 10, due: { ISK: 500 } }],
  ['plate', 9, { key: 'NONE', count: 2, due: { ISK: 500 } }],
  ['day', 9, { key: '2026-11-18', count: 1, due: {} }],
])('groups by %s all that is found', async (by, groups, first) => {
  const price = { amountMinor: 500, currency: 'ISK', lines: [], product: { id: 'p', version: 1 } };
  await api.visit({
    id: '01a1fc93-bdd6-7682-9b18-8dd0566e2420',
    plate: 'NONE',
    startedAt: '2026-11-10T08:00:00.000Z',
    status: 'need-payment',
    price: { ...price, pricedAt: api.now() },
  });
  const { body } = await api.call('GET', `/visits?aggregate=${by}&date.to=2026-11-30`);
  const { aggregate } = z.looseObject({ aggregate: VisitAggregateSchema }).parse(body['extra']);
  expect(aggregate).toMatchObject({ by, counted: 10, countedAll: true, groupsAll: true });
  expect(aggregate.groups).toHaveLength(groups);
  expect(aggregate.groups[0]).toMatchObject(first);
});

it('what a customer owes is shown with the invoice that collects it, in the list and in the download', async () => {
  const { body } = await api.call('GET', '/visits?plate=COMPANY');
  const { data } = z.object({ data: z.array(z.object({ invoice: InvoiceSchema })) }).parse(body);
  const number = data[0]?.invoice.number;
  const path = '/reports/visits/download?date.from=2026-11-01&date.to=2026-11-30&format=csv&language=en';
  const response = await api.app.request(`${path}&plate=COMPANY`, {
    headers: { authorization: `Bearer ${api.operator}` },
  });
  const [header = '', row = ''] = (await response.text()).split('\r\n');
  expect(row.split(';')[header.split(';').indexOf('Invoice no.')]).toBe(String(number));
});

const InvoiceSchema = z.object({ number: z.int() });
