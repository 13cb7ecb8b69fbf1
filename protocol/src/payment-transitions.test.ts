import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mayBecome, type PaymentState, PaymentStateSchema } from './payment.ts';
import {
  type Booking,
  type MovingPayment,
  type PaymentEffect,
  type PaymentInput,
  paymentTransition,
} from './payment-transitions.ts';

const transaction: Booking = { amountMinor: 500, currency: 'ISK' };
const payment = (state: PaymentState, more: Partial<MovingPayment> = {}): MovingPayment => ({
  ...{ state, amountMinor: 500, currency: 'ISK', reason: null, needsPerson: false },
  ...more,
});
const visit = (isDue: boolean) => ({ isFlagged: false, isDue: () => isDue });
const words = (effects: PaymentEffect<Booking>[]) =>
  effects.map((effect) =>
    effect.kind === 'move' ? effect.to : effect.kind === 'reverse' ? `reverse ${effect.reason}` : effect.kind,
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

/** What a provider or an operator may say in a state. */
function canBeHeard(state: PaymentState, kind: PaymentInput<Booking>['kind']): boolean {
  if (kind === 'reverse-answer') return state === 'approved' || state === 'settled';
  if (state === 'settled') return kind === 'reversed' || kind === 'reversal-order';
  return state === 'sent' || state === 'approved' || state === 'unknown';
}

it('settles once and refunds once, by allowed steps, whatever is heard of a payment that was sent', () => {
  const heard = fc.array(fc.tuple(fc.constantFrom(...INPUTS), fc.boolean()), { maxLength: 12 });
  fc.assert(
    fc.property(heard, (inputs) => {
      let now = payment('sent');
      let settled = 0;
      for (const [input, isDue] of inputs) {
        if (!canBeHeard(now.state, input.kind)) continue;
        for (const effect of paymentTransition(now, input, visit(isDue))) {
          if (effect.kind === 'settle') settled += 1;
          if (effect.kind === 'refund') settled -= 1;
          if (effect.kind === 'move') {
            expect([now.state, effect.to, mayBecome(now.state, effect.to)]).toEqual([
              now.state,
              effect.to,
              true,
            ]);
            now = { ...now, ...effect.news, state: PaymentStateSchema.parse(effect.to) };
          }
        }
        expect(settled).toBe(now.state === 'settled' ? 1 : 0);
      }
    }),
  );
});
