import { type PaymentState, PaymentStateSchema } from '@hlid/protocol/records/payment';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { transitionAfter } from './payment-transitions.ts';

const reported = (state: PaymentState, second = 0, needsPerson = false) => ({
  state,
  needsPerson,
  changedAt: `2026-11-21T11:00:${String(second).padStart(2, '0')}.000Z`,
});

it('applies the messages of a site in order', () => {
  for (const [from, to] of [
    ['created', 'sent'],
    ['sent', 'settled'],
    ['unknown', 'settled'],
    ['unknown', 'declined'],
    ['approved', 'reversed'],
    ['settled', 'reversed'],
  ] as const) {
    expect(transitionAfter(reported(from), reported(to, 1))).toMatchObject({ state: to });
  }
});

it('ignores repeated and older messages', () => {
  expect(transitionAfter(reported('settled'), reported('settled'))).toBeNull();
  for (const older of ['created', 'sent', 'approved', 'unknown'] as const) {
    expect(transitionAfter(reported('settled'), reported(older, 9))).toBeNull();
    expect(transitionAfter(reported('reversed'), reported(older, 9))).toBeNull();
  }
  expect(transitionAfter(reported('unknown'), reported('sent', 9))).toBeNull();
});

it('takes what is newly known of a state', () => {
  expect(transitionAfter(reported('unknown'), reported('unknown', 1, true))).toMatchObject({
    needsPerson: true,
  });
  expect(transitionAfter(reported('unknown', 1, true), reported('unknown'))).toBeNull();
});

it('keeps money that was taken where two tellings cannot both be right, and asks for a person', () => {
  expect(transitionAfter(reported('declined'), reported('settled', 1))).toMatchObject({
    state: 'settled',
    needsPerson: true,
  });
  expect(transitionAfter(reported('settled'), reported('cancelled', 1))).toMatchObject({
    state: 'settled',
    needsPerson: true,
  });
});

it('never loses a payment or refund, whatever is sent in whatever order', () => {
  const states = fc.array(fc.constantFrom(...PaymentStateSchema.options), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(states, (sent) => {
      let known = reported('created');
      let wasSettled = false;
      for (const [second, state] of sent.entries()) {
        known = transitionAfter(known, reported(state, second)) ?? known;
        if (wasSettled) expect(['settled', 'reversed']).toContain(known.state);
        wasSettled ||= known.state === 'settled';
      }
    }),
  );
});
