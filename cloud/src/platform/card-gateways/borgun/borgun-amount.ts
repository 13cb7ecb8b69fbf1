import { createHash } from 'node:crypto';
import { currencyNumber, currencyOfNumber } from '@hlid/protocol/base/currency-number';
import { minorUnitDigits } from '@hlid/protocol/base/money';

/** "RPG Payments": every amount of a payment has two decimals, whatever its currency; yen have none. */
const PAYMENT_DIGITS = 2;
const WITHOUT_DECIMALS = 'JPY';
/** "RPG Payments": exactly this number of characters from A to Z and 0 to 9. */
const ORDER_ID_LENGTH = 12;
const BASE = 36n;

/** An amount of `POST api/payment` and of refunds: 1500 kr. are 150000. Null: the currency is not one of Borgun's. */
export function toPaymentAmount(amountMinor: number, currency: string): number | null {
  return currencyNumber(currency) === null ? null : amountMinor * scaleOf(currency);
}

/** Null: a fraction of the currency's minor unit. */
export function fromPaymentAmount(amount: number, currency: string): number | null {
  const amountMinor = amount / scaleOf(currency);
  return Number.isInteger(amountMinor) ? amountMinor : null;
}

function scaleOf(currency: string): number {
  return currency === WITHOUT_DECIMALS ? 1 : 10 ** (PAYMENT_DIGITS - minorUnitDigits(currency));
}

/**
 * An amount of 3-D Secure, which names its decimals itself: those of ISO 4217, so 1500 kr. are 1500 with exponent 0.
 * "3DSecure", notes on ISK: some banks know the króna with two decimals only, and answer MdStatus 5 to any other.
 */
export function toEnrollmentAmount(
  amountMinor: number,
  currency: string,
  exponent = minorUnitDigits(currency),
): { PurchAmount: number; Exponent: number } {
  return { PurchAmount: amountMinor * 10 ** (exponent - minorUnitDigits(currency)), Exponent: exponent };
}

/** Three digits, as `352`. Null: the currency is not one of Borgun's. */
export function toCurrencyCode(currency: string): string | null {
  return currencyNumber(currency)?.toString().padStart(3, '0') ?? null;
}

export function fromCurrencyCode(code: string): string | null {
  return currencyOfNumber(Number(code));
}

/**
 * Borgun's `OrderId` of a payment: the first 62 bits of the SHA-256 of its id, in base 36. An id of 128 bits
 * does not fit into 12 characters, so this is unique by chance only: among ten million payments, two have the
 * same with a probability of about 1 in 90,000. Nothing depends on it: payments are found by their token, and
 * Borgun refuses a second payment with the same OrderId, so that no driver pays twice.
 */
export function orderIdOf(id: string): string {
  const hash = BigInt(`0x${createHash('sha256').update(id).digest('hex')}`);
  return (hash % BASE ** BigInt(ORDER_ID_LENGTH))
    .toString(Number(BASE))
    .toUpperCase()
    .padStart(ORDER_ID_LENGTH, '0');
}
