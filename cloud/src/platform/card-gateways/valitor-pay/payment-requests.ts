import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Card } from '../card.ts';
import type {
  Browser,
  CardSource,
  Declined,
  DeclineReason,
  GatewayOrder,
  GatewayTransaction,
} from '../gateway.ts';
import { mdOf, type VerificationData } from './bank-return.ts';
import { browserData, toWire } from './payment-data.ts';

export interface ValitorPayRequest {
  path: string;
  body: Readonly<Record<string, unknown>>;
}

/** "Card verification". */
export function verificationRequest(
  order: GatewayOrder,
  { card, returnUrl, browser }: { card: Card; returnUrl: string; browser: Browser },
): ValitorPayRequest | Declined {
  const amount = toWire(order);
  if (amount === null) return declined('merchant', 'currency');
  return {
    path: 'CardVerification',
    body: {
      ...cardFields(card),
      cardholderDeviceType: 'WWW',
      amount,
      currency: order.currency,
      authenticationUrl: returnUrl,
      MD: mdOf(order.id),
      correlationId: crypto.randomUUID(),
      ...browserData(browser),
    },
  };
}

/** "Payment": the operation Sale, by card or by token. */
export function saleRequest(
  order: GatewayOrder,
  step: {
    source: CardSource;
    /** Null: there is none that carries a charge. */
    verification: VerificationData | null;
    storeCard: boolean;
    initiator: 'driver' | 'merchant';
  },
): ValitorPayRequest | Declined {
  const { source, verification, storeCard, initiator } = step;
  const amount = toWire(order);
  if (amount === null) return declined('merchant', 'currency');
  const sale = { operation: 'Sale', amount, currency: order.currency, correlationId: order.id };
  // Letters and digits only. It is in the merchant's portal and in the settlement.
  const reference = { merchantReferenceData: order.id.replaceAll('-', '') };
  if (source.kind === 'token') {
    if (initiator === 'driver') return declined('card-unsupported');
    const body = { ...sale, virtualCardNumber: source.token, virtualCardPaymentAdditionalData: reference };
    return { path: 'Payment/VirtualCardPayment', body };
  }
  if (source.kind === 'encrypted') return declined('card-unsupported');
  if (verification === null) return declined('not-authenticated', 'incomplete');
  return {
    path: 'Payment/CardPayment',
    body: {
      ...sale,
      transactionType: 'ECommerce',
      ...cardFields(source.card),
      ...cvcField(source.card),
      cardVerificationData: verification,
      additionalData: reference,
      ...(storeCard && { firstTransactionData: { initiationReason: 'CredentialOnFile' } }),
    },
  };
}

export function tokenRequest({ currency }: GatewayOrder, card: Card): ValitorPayRequest {
  const subsequentTransactionType = 'MerchantInitiatedCredentialOnFile';
  const body = { ...cardFields(card), ...cvcField(card), subsequentTransactionType, currency };
  return { path: 'VirtualCard/CreateVirtualCard', body: { ...body, correlationId: crypto.randomUUID() } };
}

export function wholeRefundRequest(orderId: string, at: UtcTime, correlationId: string): ValitorPayRequest {
  const original = { originalCorrelationId: orderId, originalTransactionDate: at };
  return { path: 'Payment/RefundWithCorrelationId', body: { ...original, correlationId } };
}

/** Null: it cannot be expressed, it is more than was paid, or the payment has no reference. */
export function partRefundRequest(
  { amountMinor: paidMinor, currency, state }: GatewayTransaction,
  { id, amountMinor }: { id: string; amountMinor: number },
): ValitorPayRequest | null {
  const { acquirerReferenceNumber, maskedCardNumber, virtualCard } = state;
  const amount = toWire({ amountMinor, currency });
  if (amount === null || amountMinor > paidMinor || typeof acquirerReferenceNumber !== 'string') return null;
  const refund = { operation: 'Refund', amount, currency, acquirerReferenceNumber, correlationId: id };
  return typeof virtualCard === 'string'
    ? { path: 'Payment/VirtualCardPayment', body: { ...refund, virtualCardNumber: virtualCard } }
    : { path: 'Payment/CardPayment', body: { ...refund, transactionType: 'ECommerce', maskedCardNumber } };
}

function cardFields({ number, expiryMonth, expiryYear }: Card) {
  return { cardNumber: number, expirationMonth: expiryMonth, expirationYear: expiryYear };
}

function cvcField({ securityCode }: Card) {
  return securityCode === null ? {} : { cvc: securityCode };
}

export function declined(reason: DeclineReason, code: string | null = null): Declined {
  return { kind: 'declined', reason, code };
}
