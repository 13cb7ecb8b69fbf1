import { expect, it } from 'vitest';
import {
  CHARGEBACK_ACTION_NAMES,
  CHARGEBACK_ACTIONS,
  PAYMENT_ACTION_NAMES,
  PAYMENT_ACTIONS,
  type PaymentFacts,
} from './payment-actions.ts';

const AT_TERMINAL: PaymentFacts = {
  state: 'settled',
  needsPerson: true,
  reason: null,
  terminalId: 'kiosk-1',
  settledTwice: false,
  siteLostAt: null,
  chargebacks: [],
  refunds: [],
  bookedMinor: null,
};
const ONLINE: PaymentFacts = { ...AT_TERMINAL, terminalId: null, bookedMinor: 500 };

const possible = (payment: PaymentFacts) =>
  PAYMENT_ACTION_NAMES.filter((name) => PAYMENT_ACTIONS[name].refuse(payment) === null);

it('a payment online that needs a person has the findings that may be true', () => {
  const unknown: PaymentFacts = { ...ONLINE, state: 'unknown', bookedMinor: null };
  expect(possible(unknown)).toEqual(['booked', 'not-booked', 'given-back']);
  expect(possible(ONLINE)).not.toContain('not-booked');
  expect(possible({ ...unknown, state: 'declined' })).toEqual(['not-booked', 'given-back']);
  expect(possible({ ...ONLINE, state: 'reversed' })).toEqual(['given-back', 'chargeback']);
  expect(possible({ ...ONLINE, needsPerson: false })).toEqual(['reverse', 'chargeback']);
});

it('a payment at a terminal is reversed, unless its money may have gone back', () => {
  expect(possible(AT_TERMINAL)).toEqual(['reverse', 'chargeback']);
  expect(possible({ ...AT_TERMINAL, state: 'unknown' })).toEqual([]);
  expect(possible({ ...AT_TERMINAL, reason: 'reverse-unknown' })).toEqual(['chargeback']);
});

it('a payment at a terminal has findings once its site does not know it any more, or reports otherwise', () => {
  const lost: PaymentFacts = { ...AT_TERMINAL, siteLostAt: '2026-11-22T11:00:00.000Z' };
  expect(possible({ ...lost, reason: 'reversal-lost' })).toEqual(['booked', 'given-back', 'chargeback']);
  expect(possible({ ...lost, state: 'unknown' })).toEqual(['booked', 'not-booked', 'given-back']);
  const contradicted: PaymentFacts = { ...AT_TERMINAL, reason: 'finding-contradicted' };
  expect(possible({ ...contradicted, state: 'reversed' })).toEqual(['given-back', 'chargeback']);
  expect(possible(contradicted)).toEqual(['booked', 'given-back', 'reverse', 'chargeback']);
});

it('what was paid twice can be kept', () => {
  expect(possible({ ...AT_TERMINAL, settledTwice: true })).toEqual(['reverse', 'keep', 'chargeback']);
});

it('no money goes back beside a refund or a chargeback that is open', () => {
  const refund = { state: 'ordered', amountMinor: 100, attempts: 0 } as const;
  expect(possible({ ...ONLINE, refunds: [refund] })).toEqual(['chargeback']);
  // After ten tries only a person can find it out.
  const unanswered = [{ ...refund, attempts: 10 }];
  expect(possible({ ...ONLINE, refunds: unanswered })).toEqual(['booked', 'given-back', 'chargeback']);
  const part = (state: 'open' | 'lost') => [{ state, amountMinor: 200 }];
  expect(possible({ ...ONLINE, chargebacks: part('open') })).not.toContain('reverse');
  expect(possible({ ...ONLINE, chargebacks: part('lost') })).toContain('reverse');
  expect(possible({ ...AT_TERMINAL, chargebacks: part('lost') })).not.toContain('reverse');
});

it.each([
  ['open', ['evidence', 'won', 'lost']],
  ['lost', ['won']],
  ['won', []],
  ['prevented', []],
] as const)('of a chargeback that is %s, what may still come of it is recorded', (state, expected) => {
  const actions = CHARGEBACK_ACTION_NAMES.filter(
    (name) => CHARGEBACK_ACTIONS[name].refuse({ state }) === null,
  );
  expect(actions).toEqual(expected);
});
