import { PAYMENT_REASONS_EN } from './payment-reasons/en.ts';
import type { PaymentReasonWords } from './payment-reasons/payment-reason-words.ts';

export type PaymentReason = keyof typeof PAYMENT_REASONS_EN;

/**
 * Why a payment was not begun or failed, by the code of the terminal's driver, the journal or a kiosk's
 * fault. A code without a text becomes a general failure.
 */
export function paymentReasonText(reason: string, words: PaymentReasonWords): string {
  return words[isPaymentReason(reason) ? reason : 'other'];
}

export function isPaymentReason(reason: string): reason is PaymentReason {
  return Object.hasOwn(PAYMENT_REASONS_EN, reason);
}
