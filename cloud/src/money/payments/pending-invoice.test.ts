import { DAY_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { reportPayment, samplePayment } from '../../../test/payments.ts';
import { addCustomer, allInvoices } from '../../../test/settlements.ts';
import { eq } from '../../platform/db/sql.ts';
import { visitTable } from '../../records/visits/visit-table.ts';
import { addKioskOrder } from './kiosk-orders.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

async function begun() {
  const { id: visitId } = await api.visit({ plate: 'ABX12' });
  return samplePayment({ visitId, state: 'created', transaction: null, receipt: [] });
}
const invoiceOf = async (id: string, token?: string) =>
  await api.call('GET', `/invoice/${id}`, token === undefined ? {} : { token });

it.each([
  ['settled', 'paid', 'paid'],
  ['declined', 'failed', 'failed'],
  ['cancelled', 'failed', 'failed'],
] as const)(
  'a payment at a terminal has its invoice from the first moment, and is %s',
  async (end, status, state) => {
    const payment = await begun();
    for (const [second, open] of (['created', 'sent', 'unknown', 'sent'] as const).entries()) {
      const changedAt = `2026-11-21T11:00:${30 + second}.000Z`;
      await reportPayment(api, { ...payment, state: open, changedAt });
      const { status: answered, body } = await invoiceOf(payment.id);
      expect([answered, body]).toMatchObject([
        200,
        { id: payment.id, paymentState: 'pending', paymentType: 'kiosk', price: { amount: 1000 } },
      ]);
    }
    const { transaction } = samplePayment();
    const changedAt = '2026-11-21T11:01:00.000Z';
    await reportPayment(api, { ...payment, state: end, transaction, changedAt });
    expect((await invoiceOf(payment.id)).body).toMatchObject({ status, paymentState: state });
    expect(await allInvoices(api)).toHaveLength(1);
  },
);

it('is in no list and waits for no payer while it is pending, and has a document', async () => {
  const payment = await begun();
  await reportPayment(api, payment);
  for (const query of ['', '?collection=waiting', '?status=draft']) {
    expect((await api.call('GET', `/invoices${query}`)).body['data']).toEqual([]);
  }
  const payer = { payer: { ssn: null, name: 'Jón' } };
  expect((await api.call('PUT', `/invoice/${payment.id}`, { body: payer })).status).toBe(404);
  const headers = { authorization: `Bearer ${api.operator}` };
  const document = await api.app.request(`/invoice/${payment.id}/document`, { headers });
  expect([document.status, await document.text()]).toEqual([200, expect.stringContaining('Drög')]);
});

it('an order that no site has answered is pending for a day, and failed where it certainly did not begin', async () => {
  const { id: visitId } = await api.visit({ plate: 'ABX12' });
  const order = {
    siteId: api.site.id,
    terminalId: 'kiosk-1',
    visitId,
    language: 'is',
    by: 'kiosk',
    at: api.now(),
  } as const;
  const [waiting, refused] = [crypto.randomUUID(), crypto.randomUUID()];
  await api.db.write(async ({ q }) => {
    await addKioskOrder(q, { ...order, id: waiting, fault: null });
    await addKioskOrder(q, { ...order, id: refused, fault: 'terminal-busy' });
  });
  expect((await invoiceOf(waiting)).body).toMatchObject({ id: waiting, paymentState: 'pending', visitId });
  expect((await invoiceOf(refused)).body).toMatchObject({ id: refused, paymentState: 'failed' });
  api.wait(DAY_MS + 1000);
  expect((await invoiceOf(waiting)).status).toBe(404);
});

it('is for those who see its visit', async () => {
  const [customerId, other] = [await addCustomer(api), await addCustomer(api)];
  const { id: visitId } = await api.visit({ plate: 'ABX12' });
  await api.db.write(({ q }) => q.update(visitTable).set({ customerId }).where(eq(visitTable.id, visitId)));
  const payment = samplePayment({ visitId, state: 'sent', transaction: null, receipt: [] });
  await reportPayment(api, payment);
  const of = async (customer: string) => await api.account('customer', { customerId: customer });
  expect((await invoiceOf(payment.id, await of(customerId))).body).toMatchObject({ paymentState: 'pending' });
  expect((await invoiceOf(payment.id, await of(other))).status).toBe(404);
  const elsewhere = { name: 'Hill', timeZone: 'Atlantic/Reykjavik', currency: 'ISK' };
  const hill = String((await api.call('POST', '/sites', { body: elsewhere })).body['id']);
  const atHill = await api.account('operator', { siteIds: [hill] });
  expect([403, 404]).toContain((await invoiceOf(payment.id, atHill)).status);
  const here = await api.account('operator', { siteIds: [api.site.id] });
  expect((await invoiceOf(payment.id, here)).status).toBe(200);
});
