import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createOnlineRig, DRIVER, type OnlineRig, type Script } from '../../../test/online-payments.ts';
import { reportPayment, samplePayment } from '../../../test/payments.ts';
import { allInvoices } from '../../../test/settlements.ts';
import { incomeTable } from '../../records/invoices/income-table.ts';
import { findOnlinePayment } from './online-payment-store.ts';
import { OnlinePayments } from './online-payments.ts';

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
const findOnlinePaymentOf = (id: string) => rig.api.db.read((q) => findOnlinePayment(q, id));
async function income(): Promise<number> {
  const rows = await rig.api.db.read(async (q) => await q.select().from(incomeTable));
  return rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

const byNumber = (one: { number: number | null }, other: { number: number | null }) =>
  (one.number ?? 0) - (other.number ?? 0);

it.each([
  ['its invoice', refund],
  ['itself', reverse],
] as const)(
  'a refund of %s gives the money back at the provider, and the visit is due again',
  async (_what, how) => {
    const { visit, id } = await paid();
    expect([303, 202]).toContain((await how(id)).status);
    expect([rig.book().totalMinor(), await income()]).toEqual([0, 0]);
    expect((await allInvoices(rig.api)).toSorted(byNumber)).toMatchObject([
      { id, status: 'refunded', amountMinor: 1000 },
      { creditOf: id, status: 'refunded', amountMinor: -1000 },
    ]);
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
  expect((await allInvoices(rig.api)).toSorted(byNumber)).toMatchObject([
    { amountMinor: 1000, status: 'refunded', creditOf: null },
    { amountMinor: -300, status: 'refunded', creditOf: id },
    { amountMinor: -700, status: 'refunded', creditOf: id },
  ]);
});

it('all that is left, named by its amount, is the whole: the visit is due again', async () => {
  const { visit, id } = await paid();
  expect((await refund(id, 300)).status).toBe(303);
  expect((await refund(id, 700)).status).toBe(303);
  expect([rig.book().totalMinor(), await income()]).toEqual([0, 0]);
  expect(await rig.visitRow(visit.id)).toMatchObject({ unitsMet: 0, paidUntil: null });
  expect((await findOnlinePaymentOf(id))?.payment.state).toBe('reversed');
  expect((await allInvoices(rig.api)).map(({ status }) => status)).toEqual(Array(3).fill('refunded'));
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
  // The site did not know of the online payment when it took the money.
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

it('what is booked after it was given up goes back by itself, and then needs no person', async () => {
  const visit = await rig.api.visit({ plate: 'ABX12' });
  const context = rig.contextOfRun();
  const gateway = context.cardGateways.get('testing2');
  const charge = gateway?.charge.bind(gateway);
  if (!gateway || !charge) throw new Error('no gateway');
  const givenUp: string[] = [];
  // The process stands still for so long that another one gives its payment up.
  gateway.charge = async (order, step) => {
    rig.api.wait(10 * MINUTE_MS);
    for (let tries = 0; tries < 4; tries += 1) {
      await rig.resolver.run();
      rig.api.wait(10 * MINUTE_MS);
    }
    givenUp.push(String((await findOnlinePaymentOf(order.id))?.payment.state));
    return await charge(order, step);
  };
  const late = await new OnlinePayments(context).purchase(DRIVER, rig.order(visit));
  expect(givenUp).toEqual(['cancelled']);
  if (!late.ok) throw new Error(late.reason);
  await rig.resolver.run();
  expect(rig.book().charges().size).toBe(1);
  expect([rig.book().totalMinor(), await income()]).toEqual([0, 0]);
  expect((await rig.api.call('GET', '/payments')).body['data']).toEqual([]);
  expect((await findOnlinePaymentOf(late.payment.id))?.payment).toMatchObject({
    state: 'cancelled',
    needsPerson: false,
    reason: 'booked-late',
  });
});

it('of parts at once one goes back, and the other is refused until that is known', async () => {
  const { id } = await paid();
  const parts = await Promise.all([refund(id, 100), refund(id, 150)]);
  expect(parts.map(({ status }) => status).sort()).toEqual([303, 422]);
  expect(await refund(id, 50)).toMatchObject({ status: 303 });
  expect((await refund(id)).status).toBe(303);
  expect([rig.book().totalMinor(), await income()]).toEqual([0, 0]);
});

it('an unknown outcome waits for a gateway that is configured no more', async () => {
  const { id } = await paid('timeout-after-booking');
  rig.restart(['testing']);
  await rig.resolver.run();
  rig.restart();
  rig.api.wait(10 * MINUTE_MS);
  await rig.resolver.run();
  expect((await rig.api.call('GET', '/payments')).body['data']).toEqual([]);
  expect([rig.book().totalMinor(), await income()]).toEqual([1000, 1000]);
  expect(await allInvoices(rig.api)).toMatchObject([{ id, status: 'paid' }]);
});

it('a refund waits for a gateway that is configured no more', async () => {
  const { visit } = await paid();
  await reportPayment(rig.api, samplePayment({ visitId: visit.id, amountMinor: 1000, units: 2 }));
  rig.restart(['testing']);
  await rig.resolver.run();
  rig.restart();
  rig.api.wait(10 * MINUTE_MS);
  await rig.resolver.run();
  expect([rig.book().totalMinor(), await income()]).toEqual([0, 1000]);
});
