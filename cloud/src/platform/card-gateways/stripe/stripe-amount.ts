import { minorUnitDigits } from '@hlid/protocol/base/money';

/**
 * "Supported currencies": decimals of Stripe's amounts, where they are not two. Those of ISK and UGX are two, although
 * the currencies have none: 1500 kr. are 150000, and Stripe refuses what is no multiple of 100.
 */
const DIGITS = new Map([
  ...entries(0, 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'),
  ...entries(3, 'BHD JOD KWD OMR TND'),
]);

function entries(digits: number, currencies: string): [string, number][] {
  return currencies.split(' ').map((currency) => [currency, digits]);
}

/** Null: Stripe cannot take this amount. Of three decimals, the last one must be 0. */
export function toStripeAmount(amountMinor: number, currency: string): number | null {
  const amount = amountMinor * scaleOf(currency);
  const step = DIGITS.get(currency) === 3 ? 10 : 1;
  return Number.isSafeInteger(amount) && amount % step === 0 ? amount : null;
}

/** Null: a fraction of the currency's minor unit. */
export function fromStripeAmount(amount: number, currency: string): number | null {
  const amountMinor = amount / scaleOf(currency);
  return Number.isInteger(amountMinor) ? amountMinor : null;
}

/** The factor from minor units to Stripe's amounts. */
export function scaleOf(currency: string): number {
  return 10 ** ((DIGITS.get(currency) ?? 2) - minorUnitDigits(currency));
}
