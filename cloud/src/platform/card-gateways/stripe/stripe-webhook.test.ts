import Stripe from 'stripe';
import { expect, it } from 'vitest';
import { readStripeEvent } from './stripe-webhook.ts';

const SECRET = 'whsec_8f3a';
const NOW = new Date('2026-11-22T20:00:00Z');
const stripe = new Stripe('sk_test_none');

const dispute = {
  id: 'dp_1',
  object: 'dispute',
  amount: 150_000,
  currency: 'isk',
  payment_intent: 'pi_1',
  reason: 'fraudulent',
  status: 'needs_response',
  evidence_details: { due_by: Date.parse('2026-12-02T23:59:59Z') / 1000 },
};
const bodyOf = (object: object, type = 'charge.dispute.created') =>
  JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } });

/** Signed by Stripe's own client. */
const sign = (payload: string, secret = SECRET, at = NOW) =>
  stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: at.getTime() / 1000 });
const read = (body: string, signature: string | null = sign(body)) =>
  readStripeEvent(body, signature, SECRET, NOW);

it('reads a dispute that Stripe has signed', () => {
  expect(read(bodyOf(dispute))).toEqual({
    ok: true,
    id: 'evt_1',
    dispute: {
      transactionId: 'pi_1',
      reference: 'dp_1',
      amountMinor: 1500,
      currency: 'ISK',
      reasonCode: 'fraudulent',
      deadline: '2026-12-02',
      state: 'open',
    },
    refund: null,
  });
});

it.each([
  ['under_review', 'open'],
  ['won', 'won'],
  ['lost', 'lost'],
  ['prevented', 'prevented'],
])('reports a dispute that is %s as %s', (status, state) => {
  const body = bodyOf({ ...dispute, status }, 'charge.dispute.closed');
  expect(read(body)).toMatchObject({ dispute: { state } });
});

it('takes no inquiry for a dispute, and no other event', () => {
  const inquiry = bodyOf({ ...dispute, status: 'warning_needs_response' });
  expect(read(inquiry)).toEqual({ ok: true, id: 'evt_1', dispute: null, refund: null });
  const paid = bodyOf({ id: 'pi_1' }, 'payment_intent.succeeded');
  expect(read(paid)).toEqual({ ok: true, id: 'evt_1', dispute: null, refund: null });
});

it('reads a dispute that an appeal has won, whatever the event is called', () => {
  const body = bodyOf({ ...dispute, status: 'won' }, 'charge.dispute.funds_reinstated');
  expect(read(body)).toMatchObject({ dispute: { state: 'won' } });
});

const refund = {
  id: 're_1',
  object: 'refund',
  amount: 50_000,
  currency: 'isk',
  payment_intent: 'pi_1',
  status: 'succeeded',
  metadata: {},
};
it.each([
  ['refund.created', {}, { state: 'refunded', refundId: null }],
  ['refund.updated', { status: 'pending' }, { state: 'pending' }],
  [
    'refund.failed',
    { status: 'failed', metadata: { hlid_refund: 'r1' } },
    { state: 'failed', refundId: 'r1' },
  ],
  ['charge.refund.updated', { status: 'canceled' }, { state: 'failed' }],
])('reads a refund by %s with %j', (type, change, expected) => {
  const one = { kind: 'one', transactionId: 'pi_1', reference: 're_1', amountMinor: 500, currency: 'ISK' };
  expect(read(bodyOf({ ...refund, ...change }, type))).toMatchObject({ refund: { ...one, ...expected } });
});

it('reads how much of a charge has gone back', () => {
  const charge = { payment_intent: 'pi_1', amount_refunded: 150_000, currency: 'isk' };
  expect(read(bodyOf(charge, 'charge.refunded'))).toMatchObject({
    refund: { kind: 'sum', transactionId: 'pi_1', amountMinor: 1500, currency: 'ISK' },
  });
  expect(read(bodyOf({ ...charge, payment_intent: null }, 'charge.refunded'))).toMatchObject({
    refund: null,
  });
});

it('accepts a second signature, while the secret is changed', () => {
  const body = bodyOf(dispute);
  const [, own = ''] = sign(body).split(',');
  expect(read(body, `${sign(body, 'whsec_new')},${own}`).ok).toBe(true);
});

it('refuses what Stripe has not signed just now', () => {
  const body = bodyOf(dispute);
  expect(read(body, null)).toEqual({ ok: false, reason: 'not-signed' });
  expect(read(body, 't=1,v0=ab')).toEqual({ ok: false, reason: 'not-signed' });
  expect(read(body, sign(body, 'whsec_another'))).toEqual({ ok: false, reason: 'forged' });
  expect(read(body.replace('150000', '100'), sign(body))).toEqual({ ok: false, reason: 'forged' });
  const later = sign(body).replace(/t=\d+/, `t=${NOW.getTime() / 1000 + 1}`);
  expect(read(body, later)).toEqual({ ok: false, reason: 'forged' });
  for (const minutes of [-6, 6]) {
    const at = new Date(NOW.getTime() + minutes * 60_000);
    expect(read(body, sign(body, SECRET, at))).toEqual({ ok: false, reason: 'stale' });
  }
});

it.each(['', '{}', bodyOf({ ...dispute, amount: 150_050 }), bodyOf({ id: 'dp_1' })])(
  'changes nothing by what it cannot read: %s',
  (body) => {
    expect(read(body)).toEqual({ ok: false, reason: 'unreadable' });
  },
);
