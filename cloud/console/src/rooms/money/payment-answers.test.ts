import { expect, it } from 'vitest';
import type { WaitingPayment } from './money-calls.ts';
import { answersTo } from './payment-answers.ts';

const payment = (fields: Partial<WaitingPayment>): WaitingPayment => ({
  id: 'p',
  siteId: 's',
  visitId: 'v',
  terminalId: 'kiosk-1',
  state: 'settled',
  problem: 'terminal',
  chargeback: null,
  refunds: [],
  reason: null,
  price: { amount: 500, currency: 'ISK' },
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
});

it('offers to keep what was paid twice to those who may edit visits', () => {
  const twice = payment({ problem: 'settled-twice' });
  expect(answersTo(twice, true)).toEqual(['reverse', 'keep']);
  expect(answersTo(twice, false)).toEqual(['reverse']);
});

it('offers nothing for a chargeback that is decided', () => {
  const chargeback = (state: 'open' | 'won') =>
    payment({
      problem: 'chargeback',
      chargeback: {
        reference: 'CB-1',
        amount: 500,
        reasonCode: '10.4',
        deadline: null,
        evidence: null,
        state,
        openedOn: '2026-11-21T11:00:00.000Z',
        decidedOn: null,
      },
    });
  expect(answersTo(chargeback('open'), true)).toEqual(['evidence', 'won', 'lost']);
  expect(answersTo(chargeback('won'), true)).toEqual([]);
});
