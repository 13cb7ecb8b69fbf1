import { afterEach, beforeEach, expect, it } from 'vitest';
import { createOnlineRig, DRIVER, type OnlineRig } from '../../../../test/online-payments.ts';
import { reportPayment, samplePayment } from '../../../../test/payments.ts';
import { incomeTable } from '../../../records/invoices/income-table.ts';

let rig: OnlineRig;
beforeEach(async () => {
  rig = await createOnlineRig();
});
afterEach(() => rig.close());

async function paid() {
  const visit = await rig.api.visit({ plate: 'ABX12' });
  const stepped = await rig.payments.purchase(DRIVER, rig.order(visit));
  if (!stepped.ok) throw new Error(stepped.reason);
  return stepped.payment.id;
}
const CASE = { reference: 'CB-1', amount: 500, reasonCode: '10.4', deadline: '2026-12-05' };
const report = (id: string, more: object = {}, token?: string) =>
  rig.api.call('POST', `/payments/${id}/chargeback`, {
    body: { ...CASE, ...more },
    ...(token !== undefined && { token }),
  });
async function income(): Promise<number> {
  const rows = await rig.api.db.read(async (q) => await q.select().from(incomeTable));
  return rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}
const waiting = async () => (await rig.api.call('GET', '/payments')).body['data'];

it('takes the money out of the income while it is open, and shows what is to be done', async () => {
  const id = await paid();
  expect((await report(id)).body).toMatchObject({ id, state: 'settled', problem: 'chargeback' });
  expect(await income()).toBe(0);
  expect((await report(id, { evidence: 'Picture of the exit' })).status).toBe(200);
  expect(await income()).toBe(0);
  expect(await waiting()).toMatchObject([
    { id, state: 'settled', chargebacks: [{ ...CASE, evidence: 'Picture of the exit', state: 'open' }] },
  ]);
  expect((await rig.api.audited()).filter(({ action }) => action === 'payment.chargeback')).toHaveLength(2);
  const refund = { body: { reason: 'Beside it' } };
  expect((await rig.api.call('POST', `/invoice/${id}/refund`, refund)).status).toBe(400);
});

it.each([
  ['won', 500],
  ['lost', 0],
] as const)('%s: it leaves the list, the income is %i, and it stays so', async (state, left) => {
  const id = await paid();
  await report(id);
  expect((await report(id, { state })).status).toBe(200);
  expect((await report(id, { state })).status).toBe(200);
  expect([await income(), await waiting()]).toEqual([left, []]);
  expect((await report(id)).body['messages']).toEqual([`state: it is ${state}`]);
  expect(await income()).toBe(left);
});

it('is of a part, or one of several, by their references', async () => {
  const id = await paid();
  expect((await report(id, { amount: 300 })).status).toBe(200);
  expect(await income()).toBe(200);
  expect((await report(id, { reference: 'CB-2', amount: 100 })).status).toBe(200);
  expect(await income()).toBe(100);
  expect(await waiting()).toMatchObject([
    {
      id,
      chargebacks: [
        { reference: 'CB-1', amount: 300 },
        { reference: 'CB-2', amount: 100 },
      ],
    },
  ]);
  expect((await report(id, { amount: 300, state: 'won' })).status).toBe(200);
  expect(await income()).toBe(400);
  expect((await report(id, { reference: 'CB-3', amount: 500 })).status).toBe(200);
  expect(await income()).toBe(0);
  expect((await report(id, { reference: 'CB-3', amount: 500, state: 'won' })).status).toBe(200);
  expect((await report(id, { reference: 'CB-2', amount: 100, state: 'lost' })).status).toBe(200);
  expect([await income(), await waiting()]).toEqual([400, []]);
});

it('leaves a part that may be refunded, once it is decided', async () => {
  const id = await paid();
  const refund = (amount?: number) =>
    rig.api.call('POST', `/invoice/${id}/refund`, { body: { reason: 'A complaint', amount } });
  await report(id, { amount: 300 });
  expect((await refund(200)).status).toBe(400);
  await report(id, { amount: 300, state: 'lost' });
  expect((await refund(201)).status).toBe(400);
  expect((await refund()).status).toBe(303);
  expect(await income()).toBe(0);
  expect((await refund()).status).toBe(400);
  // An appeal: what was refunded stays refunded.
  expect((await report(id, { amount: 300, state: 'won' })).status).toBe(200);
  expect(await income()).toBe(300);
});

it('is refused for more than was paid, another amount, a payment that is not settled, and a stranger', async () => {
  const id = await paid();
  expect((await report(id, { amount: 501 })).status).toBe(400);
  const customer = await rig.api.account('customer', { customerId: 'c1' });
  expect((await report(id, {}, customer)).status).toBe(403);
  expect((await report(id, { amount: 300 })).status).toBe(200);
  expect((await report(id)).status).toBe(400);
  const declined = samplePayment({ state: 'declined' });
  await reportPayment(rig.api, declined);
  expect((await report(declined.id)).status).toBe(400);
});
