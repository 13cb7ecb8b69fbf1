import { expect, it } from 'vitest';
import type { GatewayOrder } from '../gateway.ts';
import { type PaymentResult, PaymentResultSchema } from './verifone-answers.ts';
import { meaningOfPayment, meaningOfTransaction, readRefusal } from './verifone-outcome.ts';
import { readPayment } from './verifone-payment.ts';

const plain = { wasProved: true, isBlocked: false, hasFailed: false };
const ORDER: GatewayOrder = {
  id: '0d9c1c2e-53f2-4d37-8a2e-6a8b9d1f0c11',
  amountMinor: 1500,
  currency: 'ISK',
  language: 'is',
  email: null,
  createdAt: '2026-11-22T12:00:00.000Z',
};
const answer = (fields: object = {}): PaymentResult =>
  PaymentResultSchema.parse({ id: 't-1', status: 'AUTHORIZED', amount: 1500, ...fields });
const outcome = (fields: object) => readPayment(ORDER, answer(fields), true);

it.each([
  ['AUTHORIZED', 'booked'],
  ['SETTLEMENT_REQUESTED', 'booked'],
  ['SETTLEMENT_SUBMITTED', 'booked'],
  ['SETTLEMENT_COMPLETED', 'booked'],
  ['DECLINED', 'not-booked'],
  ['FAILED', 'not-booked'],
  ['SETTLEMENT_DECLINED', 'not-booked'],
  ['AUTHORIZATION_VOIDED', 'reversed'],
  ['CANCELLED', 'reversed'],
  ['SETTLEMENT_CANCELLED', 'reversed'],
  ['VOIDED', 'reversed'],
  ['REFUNDED', 'reversed'],
  ['INITIATED', 'open'],
  ['CUSTOMER_ACCEPTED', 'open'],
  ['PENDING', 'open'],
  ['SETTLEMENT_PARTIAL', 'open'],
  ['UNKNOWN', 'open'],
  ['SOMETHING_NEW', 'open'],
])('reads the payment status %s as %s', (status, meaning) => {
  expect(meaningOfPayment(status)).toBe(meaning);
});

it.each([
  ['booked', 'APPROVED AUTHORISED COMPLETED CONFIRMED DISPUTED PARTIALLY_REFUNDED RECONCILED SETTLED'],
  ['booked', 'SETTLEMENT_REQUESTED SUBMITTED'],
  ['not-booked', 'DECLINED EXPIRED FAILED REJECTED'],
  ['reversed', 'CANCELLED REFUNDED REVERSED'],
  ['broken', 'EXCEPTION TIMED_OUT REVERSE_ERROR'],
  ['open', 'AUTHENTICATING INITIATED ON_HOLD RECEIVED REVERSING ROUTING SENT SOMETHING_NEW'],
])('reads as %s the transaction status %s', (meaning, statuses) => {
  for (const status of statuses.split(' ')) expect(meaningOfTransaction(status), status).toBe(meaning);
  expect(meaningOfTransaction(null)).toBe('open');
});

it.each([
  ['05', 'refused'],
  ['0005', 'refused'],
  ['51', 'insufficient-funds'],
  ['0061', 'insufficient-funds'],
  ['14', 'card-data'],
  ['n7', 'card-data'],
  ['54', 'card-expired'],
  ['57', 'card-unsupported'],
  ['41', 'security'],
  ['43', 'security'],
  ['59', 'security'],
  ['R1', 'stopped'],
  ['03', 'merchant'],
  ['77', 'refused'],
  [null, 'refused'],
])('reads the code %s as %s', (code, reason) => {
  expect(readRefusal(code, plain)).toEqual({ kind: 'declined', reason });
});

it('distinguishes a bank that requires 3-D Secure from one that declines', () => {
  expect(readRefusal('1A', plain)).toEqual({ kind: 'authenticate-again' });
  expect(readRefusal('65', { ...plain, wasProved: false })).toEqual({ kind: 'authenticate-again' });
  expect(readRefusal('65', plain)).toEqual({ kind: 'declined', reason: 'insufficient-funds' });
});

it('lets the driver try again where the bank was not reached', () => {
  for (const code of ['19', '68', '91', '0092', '96']) {
    expect(readRefusal(code, plain), code).toEqual({ kind: 'transient' });
  }
});

it('gives security as the reason where a rule against fraud has blocked it', () => {
  expect(outcome({ status: 'FAILED', blocked: true, reason_code: '0005' })).toMatchObject({
    kind: 'declined',
    reason: 'security',
  });
});

it('reads a payment that Verifone could not process as other than refused', () => {
  expect(outcome({ status: 'FAILED' })).toEqual({ kind: 'declined', reason: 'other', code: 'FAILED' });
});

it('takes no answer of another payment, and none that needs a reversal', () => {
  expect(outcome({ merchant_reference: 'another' })).toMatchObject({ kind: 'unknown' });
  expect(outcome({ reversal_status: 'REQUIRED' })).toMatchObject({ kind: 'unknown' });
});

it('takes the brand and the last four digits from where they are', () => {
  const masked = {
    payment_product_type: 'Mastercard',
    card_details: { masked_card_number: '520000******1005' },
  };
  expect(answer(masked).card).toEqual({ type: 'mastercard', lastFour: '1005' });
  const unmasked = answer({ card_details: { masked_card_number: '4000000000001000' } });
  expect(JSON.stringify(unmasked)).not.toContain('400000');
  expect(answer({ token_details: { brand: 'AMEX', last_four: '0005' } }).card).toEqual({
    type: 'amex',
    lastFour: '0005',
  });
  expect(answer().card).toEqual({ type: 'other', lastFour: null });
});
