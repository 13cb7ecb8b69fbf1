import { afterEach, beforeEach, expect, it } from 'vitest';
import { createOnlineRig, DRIVER, type OnlineRig, type Script } from '../../test/online-payments.ts';
import { reportPayment, samplePayment } from '../../test/payments.ts';
import { allInvoices } from '../../test/settlements.ts';
import { incomeTable } from '../invoices/income-table.ts';

let rig: OnlineRig;
beforeEach(async () => {
  rig = await createOnlineRig();
});
afterEach(() => rig.close());

async function paid(script: Script = 'approve') {
  const visit = await rig.api.visit({ plate: 'ABX12' });
  const order = { ...rig.order(visit, script), product: { id: rig.product, quantity: 2 } };
  const stepped = await rig.payments.purchase(DRIVER, order);
  if (!stepped.ok) throw new Error(stepped.reason);
  return { visit, id: stepped.payment.id };
}
const refund = (id: string, amount?: number) =>
  rig.api.call('POST', `/invoice/${id}/refund`, { body: { reason: 'The gate did not open', amount } });
const reverse = (id: string) =>
  rig.api.call('POST', `/payments/${id}/reverse`, { body: { reason: 'Twice' } });
async function income(): Promise<number> {
  const rows = await rig.api.db.read(async (q) => await q.select().from(incomeTable));
  return rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

it.each([
  ['its invoice', refund],
  ['itself', reverse],
] as const)(
  'a refund of %s gives the money back at the provider, and the visit is due again',
  async (_what, how) => {
    const { visit, id } = await paid();
    expect([303, 202]).toContain((await how(id)).status);
    expect([rig.book().totalMinor(), await income()]).toEqual([0, 0]);
    expect(await allInvoices(rig.api)).toMatchObject([{ id, status: 'refunded' }]);
    expect(await rig.visitRow(visit.id)).toMatchObject({ unitsMet: 0, paidUntil: null });
    expect(await rig.api.lastChange()).toMatchObject({ kind: 'settlement', item: { units: -2 } });
    expect((await how(id)).status).toBe(400);
    expect((await rig.api.call('GET', '/payments')).body['data']).toEqual([]);
  },
);

it('two operators at once refund once', async () => {
  const { id } = await paid();
  const statuses = (await Promise.all([refund(id), refund(id), reverse(id)])).map(({ status }) => status);
  expect(statuses.filter((status) => status < 400)).toHaveLength(1);
  expect([rig.book().totalMinor(), await income()]).toEqual([0, 0]);
});

it('a part goes back by a credit note, and then the rest', async () => {
  const { visit, id } = await paid();
  expect((await refund(id, 300)).status).toBe(303);
  expect([rig.book().totalMinor(), await income()]).toEqual([700, 700]);
  expect(await rig.visitRow(visit.id)).toMatchObject({ unitsMet: 2 });
  const invoices = await allInvoices(rig.api);
  expect(invoices.map(({ amountMinor, number }) => [amountMinor, number]).sort()).toEqual([
    [-300, 2],
    [1000, 1],
  ]);
  expect((await refund(id, 701)).status).toBe(400);
  expect((await refund(id)).status).toBe(303);
  expect([rig.book().totalMinor(), await income()]).toEqual([0, 0]);
  expect((await allInvoices(rig.api)).map(({ status }) => status)).toEqual(['refunded', 'refunded']);
});

it('what the provider cannot refund is for a person', async () => {
  const { id } = await paid('no-refund');
  expect((await refund(id)).status).toBe(409);
  expect((await rig.api.call('GET', '/payments')).body['data']).toMatchObject([
    { id, state: 'settled', problem: 'provider', reason: 'reverse-not-possible' },
  ]);
  expect([rig.book().totalMinor(), await income()]).toEqual([1000, 1000]);
});

it('what its site has taken the money for too goes back by itself', async () => {
  const { visit, id } = await paid();
  // Its site had not heard of it when it took the money.
  const terminal = samplePayment({ visitId: visit.id, amountMinor: 1000, units: 2 });
  await reportPayment(rig.api, terminal);
  expect(await rig.visitRow(visit.id)).toMatchObject({ flags: ['settled-twice'] });
  await rig.resolver.run();
  await rig.resolver.run();
  expect([rig.book().totalMinor(), await income()]).toEqual([0, 1000]);
  const invoices = await allInvoices(rig.api);
  expect(invoices.find((one) => one.id === id)?.status).toBe('refunded');
  expect(invoices.find((one) => one.id === terminal.id)?.status).toBe('paid');
  expect(await rig.visitRow(visit.id)).toMatchObject({ flags: [] });
  expect((await rig.api.call('GET', '/payments')).body['data']).toEqual([]);
});

it('parts at once are all counted, so that the rest is what is left', async () => {
  const { id } = await paid();
  const parts = await Promise.all([refund(id, 100), refund(id, 150)]);
  expect(parts.map(({ status }) => status)).toEqual([303, 303]);
  expect((await refund(id)).status).toBe(303);
  expect([rig.book().totalMinor(), await income()]).toEqual([0, 0]);
});
