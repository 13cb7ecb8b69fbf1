import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mayBecome, type PaymentState, PaymentStateSchema } from '../records/payment.ts';
import {
  BOOKED_LATE,
  type Booking,
  type MovingPayment,
  type PaymentEffect,
  type PaymentInput,
  paymentTransition,
} from './payment-transitions.ts';

const transaction: Booking = { amountMinor: 500, currency: 'ISK' };
const payment = (state: PaymentState, more: Partial<MovingPayment> = {}): MovingPayment => ({
  state,
  amountMinor: 500,
  currency: 'ISK',
  reason: null,
  needsPerson: false,
  ...more,
});
const visit = (isDue: boolean) => ({ isFlagged: false, isDue: () => isDue });
const words = (effects: PaymentEffect<Booking>[]) =>
  effects.map((effect) =>
    effect.kind === 'move'
      ? effect.to
      : effect.kind === 'reverse'
        ? `reverse ${effect.reason}`
        : effect.kind === 'amend'
          ? `amend ${effect.update.reason}${effect.update.needsPerson ? ' for a person' : ''}`
          : effect.kind,
  );
const after = (from: MovingPayment, input: PaymentInput<Booking>, isDue = true) =>
  words(paymentTransition(from, input, visit(isDue))).join(', ');

const BOOKED: PaymentInput<Booking> = { kind: 'booked', transaction };
it.each<[string, MovingPayment, PaymentInput<Booking>, boolean, string]>([
  ['settles what is booked', payment('sent'), BOOKED, true, 'approved, settle, settled, decide-again'],
  ['settles what was unknown', payment('unknown'), BOOKED, true, 'approved, settle, settled, decide-again'],
  ['reverses what is not due', payment('sent'), BOOKED, false, 'approved, reverse not-due-any-more'],
  [
    'reverses another amount',
    payment('sent', { amountMinor: 499 }),
    BOOKED,
    true,
    'approved, reverse mismatch',
  ],
  [
    'keeps a refusal before the order',
    payment('created'),
    { kind: 'not-booked', state: 'declined', reason: 'security' },
    true,
    'declined',
  ],
  [
    'takes a settlement back with its money',
    payment('settled'),
    { kind: 'reverse-answer', outcome: 'reversed', reason: 'by a person' },
    true,
    'refund, reversed',
  ],
  [
    'leaves to a person what cannot be given back',
    payment('approved'),
    { kind: 'reverse-answer', outcome: 'not-possible', reason: 'not-due-any-more' },
    false,
    'settle, settled, decide-again',
  ],
  [
    'gives back what is booked after it counts as not booked',
    payment('cancelled'),
    BOOKED,
    true,
    'amend booked-late for a person, reverse booked-late',
  ],
  [
    'needs nobody once that is given back',
    payment('declined', { needsPerson: true, reason: BOOKED_LATE }),
    { kind: 'reverse-answer', outcome: 'reversed', reason: BOOKED_LATE },
    true,
    'amend booked-late',
  ],
  [
    'leaves to a person what was booked late and stays',
    payment('declined', { needsPerson: true, reason: BOOKED_LATE }),
    { kind: 'reverse-answer', outcome: 'not-possible', reason: BOOKED_LATE },
    true,
    'amend reverse-not-possible for a person',
  ],
  [
    'takes a person’s word that it was given back by hand',
    payment('declined', { needsPerson: true, reason: 'reverse-not-possible' }),
    { kind: 'finding', finding: 'given-back', by: 'operator' },
    true,
    'amend person: operator',
  ],
  [
    'gives back once what is heard to be booked late again',
    payment('cancelled', { reason: BOOKED_LATE }),
    BOOKED,
    true,
    '',
  ],
  ['hears nothing more of what was reversed', payment('reversed'), BOOKED, true, ''],
])('%s', (_what, from, input, isDue, expected) => {
  expect(after(from, input, isDue)).toBe(expected);
});

const INPUTS: PaymentInput<Booking>[] = [
  BOOKED,
  { kind: 'reversed', reason: 'provider' },
  { kind: 'unknown', reason: 'timeout' },
  { kind: 'needs-person', reason: 'no way to find out' },
  { kind: 'reversal-order', transaction, by: 'operator' },
  { kind: 'reverse-answer', outcome: 'reversed', reason: 'x' },
  { kind: 'reverse-answer', outcome: 'not-possible', reason: 'x' },
  { kind: 'reverse-answer', outcome: 'unknown', reason: 'x' },
  { kind: 'not-booked', state: 'declined', reason: 'refused' },
];

/** The inputs that a provider or an operator may send in a state. */
function isAccepted(state: PaymentState, kind: PaymentInput<Booking>['kind']): boolean {
  if (state === 'declined' || state === 'cancelled' || state === 'reversed') return true;
  if (kind === 'reverse-answer') return state === 'approved' || state === 'settled';
  if (state === 'settled') return kind === 'reversed' || kind === 'reversal-order';
  return state === 'sent' || state === 'approved' || state === 'unknown';
}

it('settles once and refunds once, by allowed steps, whatever is reported of a payment that was sent', () => {
  const heard = fc.array(fc.tuple(fc.constantFrom(...INPUTS), fc.boolean()), { maxLength: 12 });
  fc.assert(
    fc.property(heard, (inputs) => {
      let now = payment('sent');
      let settled = 0;
      for (const [input, isDue] of inputs) {
        if (!isAccepted(now.state, input.kind)) continue;
        for (const effect of paymentTransition(now, input, visit(isDue))) {
          if (effect.kind === 'settle') settled += 1;
          if (effect.kind === 'refund') settled -= 1;
          if (effect.kind === 'move') {
            expect([now.state, effect.to, mayBecome(now.state, effect.to)]).toEqual([
              now.state,
              effect.to,
              true,
            ]);
            now = { ...now, ...effect.update, state: PaymentStateSchema.parse(effect.to) };
          }
        }
        expect(settled).toBe(now.state === 'settled' ? 1 : 0);
      }
    }),
  );
});
