import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { addCustomer, allInvoices, settle } from '../../../test/settlements.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const SELLER = {
  name: 'Bílahúsið ehf.',
  ssn: '550101-2020',
  vatNumber: '12345',
  address: 'Þórsgata 1, Reykjavík',
};

async function documentOf(id: string, token = api.operator, query = '') {
  const headers = { authorization: `Bearer ${token}` };
  const response = await api.app.request(`/invoice/${id}/document${query}`, { headers });
  const text = (await response.text()).replaceAll(/<[^>]*>/g, ' ').replaceAll(/[\s\u00a0]+/g, ' ');
  return { status: response.status, policy: response.headers.get('content-security-policy'), text };
}

it('says who sells, who pays, what for and when, the VAT by rate, and nothing that it runs', async () => {
  const body = { settings: { seller: SELLER } };
  expect((await api.call('PUT', `/sites/${api.site.id}`, { body })).status).toBe(303);
  const customerId = await addCustomer(api, {}, { name: '<b>Æðey & synir</b> ehf.' });
  const endedAt = '2026-11-21T10:15:00.000Z';
  const { id: visitId } = await api.visit({ plate: 'ÞÓR12', status: 'completed', endedAt });
  await settle(api, { id: visitId, plate: 'ÞÓR12', customerId, amountMinor: 1240 });
  const [invoice] = await allInvoices(api);
  const { status, text, policy } = await documentOf(invoice?.id ?? '');
  expect(status).toBe(200);
  expect(policy).toContain("default-src 'none'");
  expect(text).toContain(`Reikningur nr. ${invoice?.number}`);
  expect(text).toContain('Dvöl ÞÓR12 Harbour: 21. nóv. 2026, 08:00 – 21. nóv. 2026, 10:15 1.240 kr.');
  expect(text).toContain('Þar af virðisaukaskattur (24%) 240 kr.');
  expect(text).toContain('Án virðisaukaskatts (24%) 1.000 kr.');
  expect(text).toContain('&lt;b&gt;Æðey &amp; synir&lt;/b&gt; ehf.');
  for (const fact of Object.values(SELLER)) expect(text).toContain(fact);
  expect((await documentOf(invoice?.id ?? '', api.operator, '?lang=en')).text).toContain('Stay ÞÓR12');
});

it('names every visit of a collected invoice, and is no document of another customer', async () => {
  const customerId = await addCustomer(api);
  const plates = Array.from({ length: 120 }, (_, n) => `K${100 + n}`);
  for (const plate of plates) {
    await settle(api, { plate, customerId, paymentStatus: 'company-invoice', amountMinor: 100 });
  }
  api.wait(48 * 3_600_000);
  expect((await api.call('POST', '/billing/runs', { body: {} })).status).toBeLessThan(400);
  const invoice = (await allInvoices(api)).find(({ visitId }) => visitId === null);
  const token = await api.account('customer', { customerId });
  const { status, text } = await documentOf(invoice?.id ?? '', token);
  expect(status).toBe(200);
  for (const plate of plates) expect(text).toContain(`Dvöl ${plate} 100 kr.`);
  expect(text).toContain('Tímabil 2026-11-21');
  const other = await api.account('customer', { customerId: await addCustomer(api) });
  expect((await documentOf(invoice?.id ?? '', other)).status).toBe(404);
});

it('is a PDF file where a program or a link asks for one, and a page otherwise', async () => {
  const { id } = await api.visit({ plate: 'ÞÓR12', status: 'completed' });
  await settle(api, { id, plate: 'ÞÓR12', customerId: await addCustomer(api), amountMinor: 1240 });
  const [invoice] = await allInvoices(api);
  const get = async (query: string, accept: string) =>
    await api.app.request(`/invoice/${invoice?.id}/document${query}`, {
      headers: { authorization: `Bearer ${api.operator}`, accept },
    });
  for (const response of [await get('', 'application/pdf'), await get('?as=pdf', 'text/html')]) {
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(decodeURI(response.headers.get('content-disposition') ?? '')).toContain(
      `Reikningur nr. ${invoice?.number}.pdf`,
    );
    expect((await response.text()).startsWith('%PDF-1.7')).toBe(true);
  }
  for (const accept of ['text/html', '*/*', 'application/json', 'text/html, application/pdf;q=0.5']) {
    expect((await get('', accept)).headers.get('content-type')).toContain('text/html');
  }
  expect((await get('?as=docx', '*/*')).status).toBe(400);
});
