import { expect, it } from 'vitest';
import type { WaitingPayment } from './money-calls.ts';
import { answersTo, answersToChargeback } from './payment-answers.ts';

const payment = (fields: Partial<WaitingPayment>): WaitingPayment => ({
  id: 'p',
  siteId: 's',
  visitId: 'v',
  invoiceId: null,
  terminalId: 'kiosk-1',
  state: 'settled',
  problem: 'terminal',
  chargebacks: [],
  refunds: [],
  reason: null,
  siteLostOn: null,
  finding: null,
  price: { amount: 500, currency: 'ISK' },
  tip: 0,
  card: null,
  createdOn: '2026-11-21T11:00:00.000Z',
  changedOn: '2026-11-21T11:00:30.000Z',
  ...fields,
});

it('offers only what the cloud takes', () => {
  const at = (state: WaitingPayment['state']) => answersTo(payment({ problem: 'provider', state }), true);
  expect(at('unknown')).toEqual(['booked', 'not-booked', 'given-back']);
  expect(at('settled')).not.toContain('not-booked');
  expect(at('declined')).not.toContain('booked');
  expect(at('reversed')).toEqual(['given-back']);
  expect(answersTo(payment({ state: 'unknown' }), true)).toEqual([]);
  expect(answersTo(payment({ state: 'settled' }), true)).toEqual(['reverse']);
  // What may have gone back is not sent a second time.
  expect(answersTo(payment({ state: 'settled', reason: 'reverse-unknown' }), true)).toEqual([]);
});

it('offers to record the outcome of a payment that its site does not know any more, or reports otherwise', () => {
  const lost = (fields: Partial<WaitingPayment>) =>
    answersTo(payment({ siteLostOn: '2026-11-22T11:00:00.000Z', ...fields }), true);
  expect(lost({ reason: 'reversal-lost' })).toEqual(['reversed-there', 'stands-there']);
  expect(lost({ state: 'unknown' })).toEqual(['stands-there', 'never-there', 'reversed-there']);
  const contradicted = { reason: 'finding-contradicted', siteLostOn: null };
  expect(lost({ ...contradicted, state: 'reversed' })).toEqual(['reversed-there']);
  expect(lost({ ...contradicted, state: 'settled' })).toEqual(['reversed-there', 'stands-there']);
});

it('offers to keep what was paid twice to those who may edit visits', () => {
  const twice = payment({ problem: 'settled-twice' });
  expect(answersTo(twice, true)).toEqual(['reverse', 'keep']);
  expect(answersTo(twice, false)).toEqual(['reverse']);
});

it('offers of a chargeback what may still come of it', () => {
  expect(answersTo(payment({ problem: 'chargeback' }), true)).toEqual([]);
  expect(answersToChargeback({ state: 'open' })).toEqual(['evidence', 'won', 'lost']);
  expect(answersToChargeback({ state: 'lost' })).toEqual(['won']);
  expect(answersToChargeback({ state: 'won' })).toEqual([]);
  expect(answersToChargeback({ state: 'prevented' })).toEqual([]);
});
