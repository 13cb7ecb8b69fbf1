import { describe, expect, it } from 'vitest';
import type { Refused } from './stripe-calls.ts';
import { failedCharge, failedStep, readDecline } from './stripe-outcome.ts';

const refused = (fields: Partial<Refused>): Refused => ({
  kind: 'refused',
  problem: 'answered',
  status: 400,
  code: 'invalid_request_error',
  declineCode: null,
  param: null,
  ...fields,
});

it.each([
  ['insufficient_funds', 'insufficient-funds'],
  ['card_velocity_exceeded', 'insufficient-funds'],
  ['incorrect_cvc', 'card-data'],
  ['invalid_account', 'card-data'],
  ['expired_card', 'card-expired'],
  ['card_not_supported', 'card-unsupported'],
  ['lost_card', 'security'],
  ['stolen_card', 'security'],
  ['fraudulent', 'security'],
  ['stop_payment_order', 'stopped'],
  ['generic_decline', 'refused'],
  ['do_not_honor', 'refused'],
  ['a_code_of_next_year', 'refused'],
])('a card that the bank declines with %s is declined as %s', (declineCode, reason) => {
  expect(readDecline('card_declined', declineCode)).toEqual({ kind: 'declined', reason, code: declineCode });
});

it('reads the code of Stripe where the bank gives none', () => {
  expect(readDecline('expired_card', null)).toMatchObject({ reason: 'card-expired' });
  expect(readDecline('payment_intent_authentication_failure', null)).toMatchObject({
    reason: 'not-authenticated',
  });
});

it('distinguishes a bank that wants 3-D Secure, and one that did not decide', () => {
  expect(readDecline('authentication_required', 'authentication_required').kind).toBe('authenticate-again');
  expect(readDecline('card_declined', 'try_again_later').kind).toBe('unavailable');
  expect(readDecline('processing_error', 'processing_error').kind).toBe('unavailable');
});

describe('a request that Stripe refuses', () => {
  it.each([
    [{ status: 400, param: 'payment_method' }, 'card-data'],
    [{ status: 400, code: 'resource_missing', param: 'customer' }, 'card-data'],
    [{ status: 400, code: 'amount_too_small', param: 'amount' }, 'merchant'],
    [{ status: 401 }, 'merchant'],
    [{ status: 402, code: 'card_declined', declineCode: 'lost_card' }, 'security'],
  ])('%j is declined as %s', (fields, reason) => {
    expect(failedStep(refused(fields))).toMatchObject({ kind: 'declined', reason });
    expect(failedCharge(refused(fields))).toMatchObject({ kind: 'declined', reason });
  });

  it('leaves open what another call may have done', () => {
    expect(failedCharge(refused({ code: 'payment_intent_unexpected_state' })).kind).toBe('unknown');
  });
});

it('of a charge only what was certainly not worked on may be tried again', () => {
  expect(failedCharge({ kind: 'lost', problem: 'answered 500' })).toMatchObject({ kind: 'unknown' });
  expect(failedCharge({ kind: 'not-sent', problem: 'ECONNREFUSED' })).toMatchObject({ kind: 'unavailable' });
});
