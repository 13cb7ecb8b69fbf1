import type { CardBrand, ReceiptCard } from '@hlid/protocol/records/payment';
import type { DeclineReason } from '../gateway.ts';

/** The result of a step of 3-D Secure. */
export type AuthenticationStep =
  | 'authenticated'
  | 'challenge'
  /** The bank looks at the browser first, then enrollment is called again. */
  | 'method'
  | 'unavailable'
  | 'stop';

/**
 * The results of 3-D Secure without an authenticated holder that may pay. The shop bears the loss of a fraud
 * then.
 */
export interface AuthenticationPolicy {
  /** The card or its bank is not enrolled (MdStatus 2 and 3). */
  payIfNotParticipating: boolean;
  /** The bank or the network cannot authenticate now (MdStatus 5, 6 and 91 to 99). */
  payIfUnavailable: boolean;
}

/**
 * "3DSecure", table of MdStatus. 1: authenticated. 4: the bank confirms the attempt, and bears the loss. 0
 * and 8: the document forbids to continue. It has no advice for 7, an error of the MPI itself: the payment stops.
 * Unknown codes stop.
 *
 * The codes of a network fault (5, 91, 92, 99) may "continue if risk manageable"; here the driver can try
 * again, since nothing is booked.
 */
export function stepOfMdStatus(mdStatus: string, policy: AuthenticationPolicy): AuthenticationStep {
  switch (mdStatus) {
    case '1':
    case '4':
      return 'authenticated';
    case '2':
    case '3':
      return policy.payIfNotParticipating ? 'authenticated' : 'stop';
    case '9':
      return 'challenge';
    case '50':
      return 'method';
    case '5':
    case '91':
    case '92':
    case '99':
      return policy.payIfUnavailable ? 'authenticated' : 'unavailable';
    case '6':
    case '93':
    case '94':
    case '95':
    case '96':
    case '97':
      return policy.payIfUnavailable ? 'authenticated' : 'stop';
    default:
      return 'stop';
  }
}

/** The meaning of Borgun's `TransactionStatus` for a payment. */
export type Standing =
  | 'booked'
  /** The amount is reserved on the card, and not taken. */
  | 'reserved'
  | 'not-booked'
  | 'refunded'
  /** Borgun does not know yet. */
  | 'open'
  /** Borgun does not report whether it was booked. */
  | 'unclear';

/**
 * Status of a sale, or of a reservation that is captured. Only reservations can be cancelled, so `Cancelled` means that
 * nothing was taken. `Error` is explained nowhere: a person must look.
 */
export function standingOf(transactionStatus: string): Standing {
  switch (transactionStatus) {
    case 'Accepted':
    case 'Captured':
      return 'booked';
    case 'Uncaptured':
      return 'reserved';
    case 'Declined':
    case 'Cancelled':
      return 'not-booked';
    case 'Refunded':
      return 'refunded';
    case 'Unknown':
      return 'open';
    default:
      return 'unclear';
  }
}

export const APPROVED = '000';

/** "Action Codes Reference". Codes from 200 on ask to keep the card, which a page cannot: the reasons are the same. */
const REASONS: readonly (readonly [DeclineReason, codes: string])[] = [
  ['refused', '100 103 104 200 203 204 207'],
  ['card-expired', '101'],
  ['security', '102 129 202 205 208 209 210'],
  ['insufficient-funds', '116 121'],
  ['card-data', '111 117 118 125 126 130 131 201'],
  ['card-unsupported', '112 119 161 162 163'],
  ['stopped', '106 206'],
  ['merchant', '109 110 120 164 165 166 902 904 916 955 956'],
];

/** The bank was not reached (907 to 912, 953) and codes that are new: `other`. */
export function declineReasonOf(actionCode: string): DeclineReason {
  return REASONS.find(([, codes]) => codes.split(' ').includes(actionCode))?.[0] ?? 'other';
}

const BRANDS: readonly (readonly [CardBrand, RegExp])[] = [
  ['electron', /electron/i],
  ['maestro', /maestro/i],
  ['mastercard', /master/i],
  ['visa', /visa/i],
  ['amex', /amex|american/i],
  ['discover', /discover|diners/i],
];

/** @param pan as Borgun masks it; only its end is used */
export function receiptCardOf(pan: string | null, cardType: string | null): ReceiptCard {
  const type = BRANDS.find(([, name]) => name.test(cardType ?? ''))?.[0] ?? 'other';
  return { type, lastFour: /(\d{4})\s*$/.exec(pan ?? '')?.[1] ?? null };
}
