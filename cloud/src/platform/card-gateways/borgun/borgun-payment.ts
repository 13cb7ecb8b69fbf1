import type { ChargeOutcome, GatewayOrder, GatewayTransaction } from '../gateway.ts';
import {
  fromCurrencyCode,
  fromPaymentAmount,
  orderIdOf,
  toCurrencyCode,
  toPaymentAmount,
} from './borgun-amount.ts';
import type { TransactionAnswer } from './borgun-answers.ts';
import { declined } from './borgun-authentication.ts';
import type { PaymentMethod, PaymentRequest } from './borgun-calls.ts';
import { APPROVED, declineReasonOf, receiptCardOf, standingOf } from './borgun-results.ts';

export type ThreeDSecure = NonNullable<PaymentRequest['ThreeDSecure']>;

export const ANOTHER_ORDER = { kind: 'unknown', problem: 'Borgun answered about another payment' } as const;

/** Null: Borgun does not know the currency. */
export function paymentOf(
  order: GatewayOrder,
  type: PaymentRequest['TransactionType'],
  card: PaymentMethod,
  secure: ThreeDSecure | null,
): PaymentRequest | null {
  const amount = toPaymentAmount(order.amountMinor, order.currency);
  const currency = toCurrencyCode(order.currency);
  if (amount === null || currency === null) return null;
  return {
    TransactionType: type,
    Amount: amount,
    Currency: currency,
    OrderId: orderIdOf(order.id),
    // Whole seconds.
    TransactionDate: order.createdAt.replace(/\.\d+Z$/, 'Z'),
    PaymentMethod: card,
    ...(secure !== null && { ThreeDSecure: secure }),
  };
}

export function outcomeOf(order: GatewayOrder, answer: TransactionAnswer): ChargeOutcome {
  const { TransactionStatus, ActionCode } = answer;
  const standing = standingOf(TransactionStatus);
  if (standing === 'not-booked') return declined(declineReasonOf(ActionCode), ActionCode);
  if (standing !== 'booked' || ActionCode !== APPROVED) {
    return { kind: 'unknown', problem: `its status at Borgun is ${TransactionStatus}, ${ActionCode}` };
  }
  const transaction = transactionOf(order, answer);
  return transaction === null ? ANOTHER_ORDER : { kind: 'approved', transaction };
}

/** Null: it is of another order, or in a currency or amount that we do not know. */
export function transactionOf(order: GatewayOrder, answer: TransactionAnswer): GatewayTransaction | null {
  const currency = fromCurrencyCode(answer.Currency);
  const amountMinor = currency === null ? null : fromPaymentAmount(answer.Amount, currency);
  if (currency === null || amountMinor === null || answer.OrderId !== orderIdOf(order.id)) return null;
  return {
    transactionId: answer.TransactionId,
    authorizationId: answer.AuthCode,
    amountMinor,
    currency,
    card: receiptCardOf(answer.pan, answer.cardType),
    // The order id by which people find the payment in Borgun's pages.
    state: { orderId: answer.OrderId },
  };
}

/**
 * The amount that a capture has taken, if the answer has it: else what was reserved. Null: its amount or
 * currency is unknown.
 */
export function capturedOf(
  transaction: GatewayTransaction,
  { Amount, Currency }: { Amount?: number | null | undefined; Currency?: string | null | undefined },
): GatewayTransaction | null {
  const currency = Currency ? fromCurrencyCode(Currency) : transaction.currency;
  if (currency === null) return null;
  const amountMinor = Amount ? fromPaymentAmount(Amount, currency) : transaction.amountMinor;
  return amountMinor === null ? null : { ...transaction, amountMinor, currency };
}
