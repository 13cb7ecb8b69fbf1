import { DAY_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { invoiceTable } from '../../records/invoices/invoice-table.ts';
import { mailTable } from '../../records/mail/mail-table.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
  await api.made('/products', {
    type: 'default',
    price: 1240,
    vatRate: 24,
    vehicleCategory: 'light',
    productCode: 'L',
  });
});
afterEach(() => api.close());

const TO = { email: 'jon@example.is', language: 'is' };
const send = (id: string, body: object = TO, token?: string) =>
  api.call('POST', `/visit/${id}/receipt`, { body, ...(token !== undefined && { token }) });
const mails = () => api.db.read(async (q) => await q.select().from(mailTable));

async function paidVisit() {
  const visit = await api.visit();
  await api.call('PUT', `/visit/${visit.id}`, { body: { paymentStatus: 'kiosk' } });
  return visit;
}

it('goes out with what was paid, its VAT, the card and the seller, in the language asked for', async () => {
  const { body: site } = await api.call('GET', `/sites/${api.site.id}`);
  const seller = {
    name: 'Hafnarstæði ehf.',
    address: 'Geirsgata 1',
    ssn: '5501234560',
    vatNumber: '12345',
  };
  const settings = { ...z.looseObject({}).parse(site['settings']), seller };
  await api.call('PUT', `/sites/${api.site.id}`, { body: { settings } });
  const visit = await paidVisit();
  await api.db.write(async ({ q }) => {
    await q.update(invoiceTable).set({ receiptType: 'visa', receiptLastFour: '4242' });
  });
  const answer = await send(visit.id);
  const [mail] = await mails();
  expect([answer.status, answer.body]).toEqual([202, { mailId: mail?.id }]);
  expect(mail).toMatchObject({
    to: TO.email,
    kind: 'receipt',
    subject: 'Kvittun fyrir bílastæði – ABX12 – 1.240\u00a0kr.',
  });
  for (const part of [
    'Bílastæði: Harbour',
    'Kort: Visa •••• 4242',
    'Greitt til: 22. nóv. 2026, ',
    'Bílastæði, 24 klst.: 1.240 kr. Þar af VSK 24%: 240 kr.',
    'Samtals: 1.240 kr.',
    'Seljandi: Hafnarstæði ehf. Heimilisfang: Geirsgata 1 Kennitala: 5501234560 VSK-númer: 12345',
  ]) {
    expect(mail?.text.replaceAll(/\s/g, ' ')).toContain(part);
  }
  await send(visit.id, { ...TO, language: 'en' });
  const english = (await mails()).find(({ subject }) => subject.startsWith('Parking receipt'));
  expect(english?.text).toMatch(/VAT included, 24%: ISK\s240/);
  expect(english?.text).toContain('Left: still parked');
  await send(visit.id, { ...TO, language: 'pl' });
  const polish = (await mails()).find(({ subject }) => subject.startsWith('Potwierdzenie zapłaty'));
  expect(polish?.text).toMatch(/Parking, 24 godziny: 1240\sISK/);
  expect((await api.audited()).map(({ action }) => action)).toContain('visit.receipt');
});

it('shows names as they are written, and nothing else', async () => {
  await api.call('PUT', `/sites/${api.site.id}`, { body: { name: '<img src=x onerror="a()"> & Co' } });
  await send((await paidVisit()).id);
  const [mail] = await mails();
  expect(mail?.html).toContain('&lt;img src=x onerror=&quot;a()&quot;&gt; &amp; Co');
  expect(mail?.html).not.toContain('<img');
});

it('is of something that was paid, to an address, in a language', async () => {
  const visit = await api.visit();
  expect((await send(visit.id)).body['messages']).toEqual(['Nothing has been paid for this visit.']);
  const wrong = await send(visit.id, { email: 'jon@example.is\r\nBcc: all@example.is', language: 'xx' });
  expect([wrong.status, wrong.body['messages']]).toEqual([
    400,
    [expect.stringContaining('email:'), expect.stringContaining('language:')],
  ]);
  expect((await send('none')).status).toBe(404);
  expect(await mails()).toEqual([]);
});

it('goes five times a day at most', async () => {
  const { id } = await paidVisit();
  for (let n = 0; n < 5; n++) expect((await send(id)).status).toBe(202);
  const sixth = await send(id);
  expect([sixth.status, sixth.headers.get('retry-after')]).toEqual([429, String(24 * 3600)]);
  api.wait(DAY_MS);
  expect((await send(id)).status).toBe(202);
});

it('is for the customer whose visit it is, and for kiosks within a day', async () => {
  const { id } = await paidVisit();
  await api.giveVisit(id, 'c1');
  const own = await api.account('customer', { customerId: 'c1' });
  const other = await api.account('customer', { customerId: 'c2' });
  const kiosk = await api.roleToken('kiosk');
  expect((await send(id, TO, own)).status).toBe(202);
  expect((await send(id, TO, other)).status).toBe(404);
  expect((await send(id, TO, kiosk)).status).toBe(202);
  expect((await send(id, TO, await api.roleToken('webhook'))).status).toBe(403);
  api.wait(DAY_MS + 1);
  expect((await send(id, TO, kiosk)).status).toBe(404);
});

it('is for a kiosk of the visit’s site, or the one that took the payment', async () => {
  const { id } = await paidVisit();
  const there = { body: { name: 'Kiosk', role: 'kiosk', siteId: api.site.id } };
  const airport = await api.addSite('Airport');
  const tokenOf = async ({ body }: { body: object }) =>
    String((await api.call('POST', '/admin/create-role-bearer-token', { body })).body['access_token']);
  const own = await tokenOf(there);
  const other = await tokenOf({ body: { ...there.body, siteId: airport.id } });
  const nowhere = await tokenOf({ body: { name: 'Kiosk', role: 'kiosk' } });
  expect((await send(id, TO, own)).status).toBe(202);
  expect((await send(id, TO, other)).status).toBe(404);
  expect((await send(id, TO, nowhere)).status).toBe(404);
  const paid = await api.visit({ plate: 'MKJ45' });
  const { body: product } = await api.call('GET', '/products');
  const [day] = z.array(z.looseObject({ id: z.string() })).parse(product['data']);
  const payment = { plate: 'MKJ45', quantity: 1, product: day?.id, language: 'is' };
  const taken = await api.call('POST', '/kiosk/register-payment', { token: nowhere, body: payment });
  expect(taken.status).toBe(200);
  expect((await send(paid.id, TO, nowhere)).status).toBe(202);
  expect((await send(paid.id, TO, other)).status).toBe(404);
});
