import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOnlineRig, DRIVER, type OnlineRig } from '../../../test/online-payments.ts';
import { allInvoices } from '../../../test/settlements.ts';
import { refundsOf } from '../../money/payments/refunds.ts';
import type { RefundOutcome } from '../../platform/card-gateways/gateway.ts';
import { StripeGateway } from '../../platform/card-gateways/stripe/stripe-gateway.ts';
import { StripeSettingsSchema } from '../../platform/card-gateways/stripe/stripe-settings.ts';
import { createApp } from '../../program/app.ts';
import { incomeTable } from '../../records/invoices/income-table.ts';
import { findOnlinePayment } from './online-payment-store.ts';

const SECRET = 'whsec_8f3a';
const SAMPLE = readFileSync(
  new URL('../../../../tests/fixtures/stripe/charge-refunded.json', import.meta.url),
  'utf8',
);

let rig: OnlineRig;
let app: ReturnType<typeof createApp>;
/** The provider's answers to refunds from now on. */
let answers: RefundOutcome[];
beforeEach(async () => {
  rig = await createOnlineRig();
  answers = [];
  const context = rig.contextOfRun();
  const stripe = new StripeGateway(
    StripeSettingsSchema.parse({
      kind: 'stripe',
      secretKey: 'sk_test_1',
      publishableKey: 'pk_test_1',
      webhookSecret: SECRET,
    }),
    context,
  );
  const gateway = context.cardGateways.get('testing2');
  const refund = async () => answers.shift() ?? { kind: 'refunded' as const };
  Object.assign(gateway ?? {}, { readEvent: stripe.readEvent.bind(stripe), refund });
  app = createApp(context);
});
afterEach(() => rig.close());

async function paid() {
  const visit = await rig.api.visit({ plate: 'ABX12' });
  const order = { ...rig.order(visit), product: { id: rig.product, quantity: 3 } };
  const stepped = await rig.payments.purchase(DRIVER, order);
  if (!stepped.ok) throw new Error(stepped.reason);
  const { id } = stepped.payment;
  const found = await rig.api.db.read((q) => findOnlinePayment(q, id));
  return { id, visit, transactionId: found?.online.booking?.transactionId ?? '' };
}

let events = 0;
async function post(body: string) {
  const seconds = Math.floor(rig.api.clock.now().getTime() / 1000);
  const v1 = createHmac('sha256', SECRET).update(`${seconds}.${body}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${seconds},v1=${v1}` };
  const answer = await app.request('/payments/events/testing2', { method: 'POST', headers, body });
  return [answer.status, ((await answer.json()) as { outcome?: string }).outcome];
}
const send = (type: string, object: object) =>
  post(JSON.stringify({ id: `evt_${events++}`, object: 'event', type, data: { object } }));
const refunded = (payment_intent: string, krónur: number) =>
  send('charge.refunded', { payment_intent, amount_refunded: krónur * 100, currency: 'isk' });
const refund = (payment_intent: string, krónur: number, more: object = {}) => ({
  id: 're_1',
  payment_intent,
  amount: krónur * 100,
  currency: 'isk',
  status: 'succeeded',
  metadata: {},
  ...more,
});

const order = (id: string, amount?: number) =>
  rig.api
    .call('POST', `/invoice/${id}/refund`, { body: { reason: 'The gate did not open', amount } })
    .then(({ status }) => status);
/** Orders a refund by the app, and its provider answers as the test has set it. */
async function orderAtApp(id: string, amount?: number): Promise<number> {
  const token = await rig.api.account('operator');
  const answer = await app.request(`/invoice/${id}/refund`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'The gate did not open', amount }),
  });
  return answer.status;
}
const rows = (id: string) =>
  rig.api.db.read(async (q) =>
    (await refundsOf(q, id)).map(({ state, amountMinor, reference }) => ({ state, amountMinor, reference })),
  );
const listed = async () => (await rig.api.call('GET', '/payments')).body['data'];
async function income(): Promise<number> {
  const all = await rig.api.db.read(async (q) => await q.select().from(incomeTable));
  return all.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

describe('a refund that was made in the pages of the provider', () => {
  it('of the whole reverses the payment, once', async () => {
    const { id, visit, transactionId } = await paid();
    const event = SAMPLE.replace('pi_REPLACE_BY_THE_PAID_ONE', transactionId);
    expect(await post(event)).toEqual([200, 'opened']);
    expect(await post(event)).toEqual([200, 'unchanged']);
    expect(await refunded(transactionId, 1500)).toEqual([200, 'unchanged']);
    expect(await send('refund.created', refund(transactionId, 1500))).toEqual([200, 'unchanged']);
    expect(await rows(id)).toEqual([{ state: 'refunded', amountMinor: 1500, reference: 're_1' }]);
    expect((await rig.api.db.read((q) => findOnlinePayment(q, id)))?.payment.state).toBe('reversed');
    expect(await rig.visitRow(visit.id)).toMatchObject({ unitsMet: 0 });
    expect(await income()).toBe(0);
    expect(await order(id)).toBe(400);
  });

  it('of parts is a credit note each, however it is reported, and the last one reverses the payment', async () => {
    const { id, transactionId } = await paid();
    expect(await send('refund.created', refund(transactionId, 500, { status: 'pending' }))).toEqual([
      200,
      'opened',
    ]);
    expect(await income()).toBe(1500);
    expect(await send('refund.updated', refund(transactionId, 500))).toEqual([200, 'changed']);
    expect(await refunded(transactionId, 500)).toEqual([200, 'unchanged']);
    expect(await income()).toBe(1000);
    expect(await refunded(transactionId, 700)).toEqual([200, 'opened']);
    expect(await income()).toBe(800);
    expect(await order(id, 801)).toBe(400);
    expect(await refunded(transactionId, 1500)).toEqual([200, 'opened']);
    expect(await income()).toBe(0);
    expect((await allInvoices(rig.api)).every(({ status }) => status === 'refunded')).toBe(true);
  });

  it('is not recorded where another program has the payment, or its currency is another', async () => {
    const { id, transactionId } = await paid();
    expect(await refunded('pi_of_another_shop', 500)).toEqual([200, 'unchanged']);
    expect(
      (
        await send('charge.refunded', {
          payment_intent: transactionId,
          amount_refunded: 500,
          currency: 'eur',
        })
      )[0],
    ).toBe(400);
    expect([await rows(id), await income()]).toEqual([[], 1500]);
  });
});

describe('a refund of ours', () => {
  it('that is pending is not done, and nothing more goes back until its end is reported', async () => {
    const { id, transactionId } = await paid();
    answers = [{ kind: 'pending' }];
    expect(await orderAtApp(id, 500)).toBe(303);
    expect(await rows(id)).toMatchObject([{ state: 'ordered' }]);
    expect(await income()).toBe(1500);
    expect(await orderAtApp(id, 500)).toBe(422);
    const [row] = await rig.api.db.read((q) => refundsOf(q, id));
    const done = refund(transactionId, 500, { metadata: { hlid_refund: row?.id } });
    expect(await send('refund.updated', done)).toEqual([200, 'changed']);
    expect(await rows(id)).toEqual([{ state: 'refunded', amountMinor: 500, reference: 're_1' }]);
    expect(await income()).toBe(1000);
  });

  it.each([500, undefined])('of %s that fails after it was given is for a person', async (amount) => {
    const { id, transactionId } = await paid();
    expect(await orderAtApp(id, amount)).toBe(303);
    const [row] = await rig.api.db.read((q) => refundsOf(q, id));
    const failed = refund(transactionId, amount ?? 1500, {
      status: 'failed',
      metadata: { hlid_refund: row?.id },
    });
    expect(await send('refund.failed', failed)).toEqual([200, 'changed']);
    expect(await listed()).toMatchObject([{ id, problem: 'provider', reason: 'refund-failed' }]);
    // A part is income again. The whole is still owed to the driver.
    expect(await income()).toBe(amount === undefined ? 0 : 1500);
    const body = {
      finding: amount === undefined ? 'given-back' : 'booked',
      reason: 'Paid to the bank account',
    };
    expect((await rig.api.call('POST', `/payments/${id}/finding`, { body })).status).toBe(200);
    expect(await listed()).toEqual([]);
  });

  it.each([
    ['given-back', 1000, 'refunded'],
    ['booked', 1500, 'not-possible'],
  ] as const)(
    'that may have been given counts as given until a person finds: %s',
    async (finding, left, state) => {
      const { id } = await paid();
      answers = [{ kind: 'unclear', problem: 'no answer' }];
      expect(await orderAtApp(id, 500)).toBe(303);
      expect(await listed()).toMatchObject([
        {
          id,
          problem: 'provider',
          reason: 'reverse-unknown',
          refunds: [{ amount: 500, state: 'unclear' }],
        },
      ]);
      for (const amount of [500, 100, undefined]) expect(await orderAtApp(id, amount)).toBe(422);
      rig.api.wait(10 * MINUTE_MS);
      await rig.resolver.run();
      expect(await rows(id)).toMatchObject([{ state: 'unclear' }]);
      const body = { finding, reason: 'In the pages of the provider' };
      expect((await rig.api.call('POST', `/payments/${id}/finding`, { body })).status).toBe(200);
      expect(await rows(id)).toMatchObject([{ state }]);
      expect([await listed(), await income()]).toEqual([[], left]);
      expect((await rig.api.db.read((q) => findOnlinePayment(q, id)))?.payment.state).toBe('settled');
      expect(await orderAtApp(id)).toBe(303);
      expect(await income()).toBe(0);
    },
  );

  it('of a part that the provider made one of the whole reverses the payment', async () => {
    const { id, visit } = await paid();
    answers = [{ kind: 'refunded', isAll: true }];
    expect(await orderAtApp(id, 500)).toBe(303);
    expect(await rows(id)).toMatchObject([{ state: 'refunded', amountMinor: 1500 }]);
    expect(await rig.visitRow(visit.id)).toMatchObject({ unitsMet: 0 });
    expect(await income()).toBe(0);
  });
});
