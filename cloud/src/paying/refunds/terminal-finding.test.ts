import type { Payment } from '@hlid/protocol/records/payment';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { reportPayment, samplePayment } from '../../../test/payments.ts';
import { allInvoices } from '../../../test/settlements.ts';
import { clearSiteLost, markSiteLost, openReversal } from '../../money/payments/reversal-orders.ts';
import { eq } from '../../platform/db/sql.ts';
import { paymentTable } from '../../records/payments/payment-table.ts';
import { visitTable } from '../../records/visits/visit-table.ts';

let api: TestApi;
let payment: Payment;
beforeEach(async () => {
  api = await createTestApi();
  payment = samplePayment({ visitId: (await api.visit({ plate: 'ABX12' })).id });
});
afterEach(() => api.close());

const report = (fields: Partial<Payment>, minute: number) =>
  reportPayment(api, { ...payment, ...fields, changedAt: `2026-11-21T12:${minute}:00.000Z` });
const find = (finding: string, options: { token?: string; body?: object } = {}) =>
  api.call('POST', `/payments/${payment.id}/finding`, {
    body: { finding, reason: 'On the receipt roll of the terminal' },
    ...options,
  });
const one = async () => (await api.call('GET', `/payments/${payment.id}`)).body;
const waiting = async () => (await api.call('GET', '/payments')).body['data'];
const invoice = async () => (await api.call('GET', `/invoice/${payment.id}`)).body;
const income = async () => {
  const query = 'date.from=2026-11-01&date.to=2026-11-30';
  const { total } = (await api.call('GET', `/reports/income?${query}`)).body as {
    total: { amounts: unknown[] };
  };
  return total.amounts;
};
const visit = async () => {
  const rows = await api.db.read((q) =>
    q.select().from(visitTable).where(eq(visitTable.id, payment.visitId)),
  );
  return rows[0];
};
/** The site answers that it does not know the payment. */
const lose = () => api.db.write((tx) => markSiteLost(tx, payment.id, api.now()));

describe('an ordered reversal whose site has lost the payment', () => {
  beforeEach(async () => {
    await report({}, 10);
    await api.db.write(async (tx) => {
      const [row] = await tx.q.select().from(paymentTable).where(eq(paymentTable.id, payment.id));
      if (row !== undefined) await openReversal(tx, row, api.now());
    });
    await lose();
    expect(await one()).toMatchObject({ problem: 'terminal', reason: 'reversal-lost' });
  });

  it('was reversed: the invoice is credited once, and a visit inside owes again, at its site too', async () => {
    const found = await find('given-back');
    expect([found.status, found.body]).toMatchObject([
      200,
      { state: 'reversed', problem: null, finding: 'given-back' },
    ]);
    expect(await waiting()).toEqual([]);
    expect(await invoice()).toMatchObject({ status: 'refunded', openRefund: 0, openRefundReason: null });
    expect(await allInvoices(api)).toHaveLength(2);
    expect(await api.lastChange()).toMatchObject({ kind: 'settlement', item: { visitId: payment.visitId } });
    expect(await api.audited()).toContainEqual(
      expect.objectContaining({
        action: 'payment.finding',
        subjectId: payment.id,
        reason: 'On the receipt roll of the terminal',
        before: { state: 'settled', needsPerson: true, reason: 'reversal-lost' },
        after: { finding: 'given-back', state: 'reversed', needsPerson: false },
      }),
    );
    const { body } = await api.call('GET', `/visit/${payment.visitId}/timeline`);
    expect(body['entries']).toContainEqual(expect.objectContaining({ kind: 'payment', code: 'reversed' }));
    expect((await find('given-back')).status).toBe(400);
    expect(
      (await api.call('POST', `/invoice/${payment.id}/refund`, { body: { reason: 'Again' } })).status,
    ).toBe(422);
  });

  it('was not reversed: the payment stands, and can be reversed or refunded again', async () => {
    expect((await find('not-booked')).status).toBe(400);
    expect((await find('booked')).body).toMatchObject({ state: 'settled', problem: null, finding: 'booked' });
    expect(await waiting()).toEqual([]);
    expect(await invoice()).toMatchObject({ status: 'paid', openRefund: 0 });
    expect(
      (await api.call('POST', `/invoice/${payment.id}/refund`, { body: { reason: 'In cash' } })).status,
    ).toBe(303);
  });

  it('needs a reason, and money and the site among what the operator may', async () => {
    expect((await find('given-back', { body: { finding: 'given-back' } })).status).toBe(400);
    const customer = await api.account('customer', { customerId: 'c1' });
    expect((await find('given-back', { token: customer })).status).toBe(403);
    expect(await one()).toMatchObject({ reason: 'reversal-lost' });
  });

  it('a later report of the site that contradicts it is shown, and money counts once', async () => {
    await find('given-back');
    const after = await income();
    // The report is from before the order, so it brings nothing new.
    await report({}, 10);
    expect(await waiting()).toEqual([]);
    await report({ needsPerson: true, reason: 'reverse-not-possible' }, 20);
    expect(await waiting()).toMatchObject([
      { state: 'reversed', problem: 'terminal', reason: 'finding-contradicted', siteLostOn: null },
    ]);
    expect(await income()).toEqual(after);
    expect(await allInvoices(api)).toHaveLength(2);
    expect((await find('booked')).status).toBe(400);
    expect((await find('given-back')).status).toBe(200);
    await report({ needsPerson: true, reason: 'reverse-not-possible' }, 20);
    expect(await waiting()).toEqual([]);
    expect(await income()).toEqual(after);
  });

  it('a later report of the site that agrees needs no person', async () => {
    await find('given-back');
    await report({ needsPerson: true, reason: 'reversal-ordered' }, 20);
    await report({ state: 'reversed', reason: 'person: account:1' }, 21);
    expect(await waiting()).toEqual([]);
    expect(await allInvoices(api)).toHaveLength(2);
  });

  it('a reversal that the site reports after a person said that the payment stands is shown, and booked once', async () => {
    await find('booked');
    await report({ state: 'reversed', reason: 'person: account:1' }, 20);
    expect(await waiting()).toMatchObject([{ state: 'reversed', reason: 'finding-contradicted' }]);
    expect(await invoice()).toMatchObject({ status: 'refunded' });
    await report({ state: 'reversed', reason: 'person: account:1' }, 20);
    expect(await allInvoices(api)).toHaveLength(2);
    expect((await find('given-back')).status).toBe(200);
    expect(await waiting()).toEqual([]);
    expect(await allInvoices(api)).toHaveLength(2);
  });
});

describe('a payment of unknown outcome whose site has lost it', () => {
  beforeEach(async () => {
    await report({ state: 'unknown', needsPerson: true, reason: 'no-answer', transaction: null }, 10);
  });

  it('is resolved at its site as long as that knows it', async () => {
    const refused = await find('booked');
    expect([refused.status, refused.body['messages']]).toEqual([
      400,
      [
        'The site of this payment has not said that it does not know it: find the outcome out there (hlid payment).',
      ],
    ]);
    await lose();
    await api.db.write((tx) => clearSiteLost(tx, payment.id));
    expect((await find('booked')).status).toBe(400);
  });

  it('was booked: the visit is settled once, also where the site reports the same later', async () => {
    await lose();
    expect((await find('booked')).body).toMatchObject({ state: 'settled', problem: null });
    expect(await visit()).toMatchObject({ unitsMet: 1, paymentStatus: 'kiosk' });
    expect(await api.lastChange()).toMatchObject({ kind: 'settlement', item: { id: payment.id, units: 1 } });
    expect(await allInvoices(api)).toMatchObject([{ id: payment.id, status: 'paid' }]);
    await report({ state: 'settled' }, 20);
    expect(await allInvoices(api)).toHaveLength(1);
    expect(await waiting()).toEqual([]);
  });

  it.each([
    ['not-booked', 'cancelled'],
    ['given-back', 'reversed'],
  ] as const)('%s: it is %s, and the visit owes', async (finding, state) => {
    await lose();
    expect((await find(finding)).body).toMatchObject({ state, problem: null });
    expect(await visit()).toMatchObject({ unitsMet: 0 });
    expect(await allInvoices(api)).toMatchObject([{ status: 'failed' }]);
    await report({ state: 'settled' }, 20);
    expect(await waiting()).toMatchObject([{ problem: 'terminal' }]);
  });
});
