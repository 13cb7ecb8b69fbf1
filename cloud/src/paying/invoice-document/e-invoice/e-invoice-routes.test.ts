import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type Json, type TestApi } from '../../../../test/api.ts';
import { oracleJars } from '../../../../test/oracles/oracle-jars.ts';
import { brokenRules } from '../../../../test/oracles/peppol-rules.ts';
import { addCustomer, allInvoices, settle } from '../../../../test/settlements.ts';
import type { NewCustomer } from '../../../people/customers/customer.ts';

const SELLER = {
  name: 'Bílahúsið ehf.',
  ssn: '550101-2020',
  vatNumber: '12345',
  street: 'Þórsgata 1',
  postcode: '101',
  city: 'Reykjavík',
  bankAccount: '0133-26-1234',
};
const BUYER = { street: 'Hafnarstræti 5', postcode: '600', city: 'Akureyri', country: 'IS' };

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const sell = async (seller: Json) =>
  expect((await api.call('PUT', `/sites/${api.site.id}`, { body: { settings: { seller } } })).status).toBe(
    303,
  );

/** An invoice for a visit. @returns its id */
async function invoiceFor(
  options: NonNullable<NewCustomer['options']>,
  { ssn = '5305750209', isPaid = false }: { ssn?: string | null; isPaid?: boolean } = {},
): Promise<string> {
  const customerId = await addCustomer(
    api,
    { billingMethod: 'daily', ...options },
    { name: 'Æðey & synir ehf.', ssn },
  );
  const { id } = await api.visit({ plate: 'ÞÓR12', status: 'completed' });
  const paymentStatus = isPaid ? 'kiosk' : 'company-invoice';
  await settle(api, { id, plate: 'ÞÓR12', customerId, paymentStatus, amountMinor: 1240 });
  if (!isPaid) {
    api.wait(48 * 3_600_000);
    expect((await api.call('POST', '/billing/runs', { body: {} })).status).toBeLessThan(400);
  }
  const [invoice] = await allInvoices(api);
  return invoice?.id ?? '';
}

const refund = async (id: string) => {
  const body = { reason: 'Not his car' };
  expect((await api.call('POST', `/invoice/${id}/refund`, { body })).status).toBe(303);
};

async function xmlOf(id: string) {
  const headers = { authorization: `Bearer ${api.operator}`, accept: 'application/xml' };
  const response = await api.app.request(`/invoice/${id}/document`, { headers });
  return { status: response.status, text: await response.text() };
}

describe('an invoice for programs', () => {
  it('has what stood in it when it was issued, whatever is changed later', async () => {
    await sell(SELLER);
    const id = await invoiceFor(BUYER);
    const first = await xmlOf(id);
    expect(first.status).toBe(200);
    expect(first.text).toContain('<cbc:RegistrationName>Æðey &amp; synir ehf.</cbc:RegistrationName>');
    expect(first.text).toContain('<cbc:TaxInclusiveAmount currencyID="ISK">1240</cbc:TaxInclusiveAmount>');
    expect(first.text).toContain('<cbc:ID>013326001234</cbc:ID>');
    expect(first.text).toContain('<cbc:CityName>Akureyri</cbc:CityName>');
    await sell({ ...SELLER, city: 'Selfoss' });
    const [invoice] = await allInvoices(api);
    const body = { id: invoice?.customerId, options: { city: 'Húsavík' } };
    expect((await api.call('PUT', `/customer/${body.id}`, { body })).status).toBe(303);
    expect(await xmlOf(id)).toEqual(first);
  });

  it('is a credit note that names its invoice, where it takes one back', async () => {
    await sell(SELLER);
    const id = await invoiceFor(BUYER, { isPaid: true });
    const [invoice] = await allInvoices(api);
    await refund(id);
    const note = (await allInvoices(api)).find(({ amountMinor }) => amountMinor < 0);
    expect((await xmlOf(id)).text).toContain('<cbc:PayableAmount currencyID="ISK">0</cbc:PayableAmount>');
    const { text } = await xmlOf(note?.id ?? '');
    expect(text).toContain('<CreditNote xmlns=');
    expect(text).toContain(`<cbc:ID>${invoice?.number}</cbc:ID>`);
    expect(text).toContain('<cbc:PayableAmount currencyID="ISK">1240</cbc:PayableAmount>');
  });

  it('names everything that seller and customer lack', async () => {
    const { street: _, city: __, vatNumber: ___, ...seller } = SELLER;
    await sell(seller);
    const { status, text } = await xmlOf(await invoiceFor({}, { ssn: null }));
    expect(status).toBe(409);
    for (const field of ['seller.street', 'seller.city', 'seller.vatNumber', 'customer.options.street']) {
      expect(text).toContain(field);
    }
  });

  const jars = oracleJars();
  if (!jars.ok) it.skip(`keeps to the rules: ${jars.missing}`);
  else {
    it('keeps to EN 16931, Peppol and the Icelandic rules, and so does its credit note', async () => {
      await sell(SELLER);
      const id = await invoiceFor(BUYER, { isPaid: true });
      const documents = new Map([['invoice', (await xmlOf(id)).text]]);
      await refund(id);
      const note = (await allInvoices(api)).find(({ amountMinor }) => amountMinor < 0);
      documents.set('note', (await xmlOf(note?.id ?? '')).text);
      expect(Object.fromEntries(await brokenRules(jars.folder, documents))).toEqual({
        invoice: [],
        note: [],
      });
    });
  }
});
