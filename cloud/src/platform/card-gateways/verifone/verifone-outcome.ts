import type { DeclineReason } from '../gateway.ts';

/** The meaning of a status for the money. */
export type Meaning = 'booked' | 'not-booked' | 'reversed' | 'open' | 'broken';

/**
 * The status of a payment that was just made ("Payment flow"). `capture_now` is always set, so an authorised payment is
 * captured without another call. What is in progress, partial, or not in the documents is `open`.
 */
const PAYMENT_STATUS: Readonly<Record<string, Meaning>> = {
  AUTHORIZED: 'booked',
  SETTLEMENT_REQUESTED: 'booked',
  SETTLEMENT_SUBMITTED: 'booked',
  SETTLEMENT_COMPLETED: 'booked',
  DECLINED: 'not-booked',
  FAILED: 'not-booked',
  SETTLEMENT_DECLINED: 'not-booked',
  AUTHORIZATION_VOIDED: 'reversed',
  CANCELLED: 'reversed',
  SETTLEMENT_CANCELLED: 'reversed',
  VOIDED: 'reversed',
  REFUNDED: 'reversed',
};

/** The `transaction_status` of the list of transactions and of one transaction. */
const TRANSACTION_STATUS: Readonly<Record<string, Meaning>> = {
  APPROVED: 'booked',
  AUTHORISED: 'booked',
  COMPLETED: 'booked',
  CONFIRMED: 'booked',
  // The bank disputes what was booked.
  DISPUTED: 'booked',
  PARTIALLY_REFUNDED: 'booked',
  RECONCILED: 'booked',
  SETTLED: 'booked',
  SETTLEMENT_REQUESTED: 'booked',
  SUBMITTED: 'booked',
  DECLINED: 'not-booked',
  EXPIRED: 'not-booked',
  FAILED: 'not-booked',
  REJECTED: 'not-booked',
  CANCELLED: 'reversed',
  REFUNDED: 'reversed',
  REVERSED: 'reversed',
  // It is uncertain what the bank has booked: these are taken back.
  EXCEPTION: 'broken',
  TIMED_OUT: 'broken',
  REVERSE_ERROR: 'broken',
};

export function meaningOfPayment(status: string): Meaning {
  return PAYMENT_STATUS[status] ?? 'open';
}

export function meaningOfTransaction(status: string | null): Meaning {
  return TRANSACTION_STATUS[status ?? ''] ?? 'open';
}

/** The bank of a Visa card requires 3-D Secure. */
const NEEDS_AUTHENTICATION = '1A';
/**
 * The bank of a Mastercard requires 3-D Secure; other brands mean "too many payments". Only a payment without
 * a proof can mean the former.
 */
const MAY_NEED_AUTHENTICATION = '65';
/** The bank was not reached, or was busy. */
const TRANSIENT = new Set(['19', '68', '91', '92', '96']);

/**
 * Reasons by the codes of ISO 8583, field 39, as acquirers give them. Codes of fraud have one reason: they
 * are never explained to a driver.
 */
const REASONS: Readonly<Record<string, DeclineReason>> = {
  ...codes('refused', '01 02 05'),
  ...codes('insufficient-funds', '51 61 65'),
  ...codes('card-data', '14 15 55 82 N7'),
  ...codes('card-expired', '33 54'),
  ...codes('card-unsupported', '57 62'),
  ...codes('security', '04 07 34 41 43 59 63 83'),
  ...codes('stopped', 'R0 R1 R3'),
  ...codes('merchant', '03 12 13 30 58'),
};

function codes(reason: DeclineReason, list: string): Record<string, DeclineReason> {
  return Object.fromEntries(list.split(' ').map((code) => [code, reason]));
}

export type Refusal =
  | { kind: 'declined'; reason: DeclineReason }
  | { kind: 'authenticate-again' }
  /** The charge was not booked, and another try may succeed. */
  | { kind: 'transient' };

/**
 * The reason why a payment was not booked.
 *
 * @param code the acquirer's, or Verifone's own of four digits, such as `0051`
 * @param payment.wasProved the bank had authenticated the driver
 * @param payment.isBlocked a rule of the merchant against fraud refused it
 */
export function readRefusal(
  code: string | null,
  payment: { wasProved: boolean; isBlocked: boolean; hasFailed: boolean },
): Refusal {
  if (payment.isBlocked) return { kind: 'declined', reason: 'security' };
  const short = code?.toUpperCase().slice(-2) ?? '';
  if (short === NEEDS_AUTHENTICATION || (short === MAY_NEED_AUTHENTICATION && !payment.wasProved))
    return { kind: 'authenticate-again' };
  if (TRANSIENT.has(short)) return { kind: 'transient' };
  return { kind: 'declined', reason: REASONS[short] ?? (payment.hasFailed ? 'other' : 'refused') };
}
