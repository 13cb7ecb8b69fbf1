import { z } from 'zod';
import { numberFormat } from './formats.ts';
import { type Language, LOCALES } from './language.ts';
import { wrong } from './mistakes/mistake.ts';

/** ISO 4217 code, three capital letters. */
export const CurrencySchema = z
  .string()
  .regex(/^[A-Z]{3}$/, wrong('currency-form'))
  .meta({ id: 'Currency' });

/** An amount in the currency's minor unit (ISK has exponent 0: 500 is 500 kr.), never a fraction. */
export const AmountMinorSchema = z.int().min(0);

/**
 * The most that one step of a price may be. Ten years by the minute, or a million units, still are a safe
 * integer: beyond it sums would be wrong without an error.
 */
const MAX_PRICE_MINOR = 1_000_000_000;

/** The price of one unit, step or flat rate, in the currency's minor unit. */
export const PriceMinorSchema = AmountMinorSchema.max(MAX_PRICE_MINOR);

export const MoneySchema = z
  .strictObject({ amountMinor: AmountMinorSchema, currency: CurrencySchema })
  .meta({ id: 'Money' });
export type Money = z.infer<typeof MoneySchema>;

/**
 * Currencies with a minor unit that is not a hundredth, by ISO 4217. Intl does not serve: it rounds to common
 * use (no decimals for HUF), and its rounding changes with the version of its data.
 */
const MINOR_UNITS: readonly (readonly [digits: number, currencies: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];

const DIGITS = new Map(
  MINOR_UNITS.flatMap(([digits, currencies]) => currencies.split(' ').map((code) => [code, digits] as const)),
);

/** Decimal places of the currency's minor unit by ISO 4217: 0 for ISK, 2 for EUR. */
export function minorUnitDigits(currency: string): number {
  return DIGITS.get(currency) ?? 2;
}

/** An amount in the currency's own unit, exact: `1250` ISK, `12.50` EUR. */
export function amountText(
  { amountMinor, currency }: { amountMinor: number; currency: string },
  decimalPoint: '.' | ',',
): string {
  const digits = minorUnitDigits(currency);
  const sign = amountMinor < 0 ? '-' : '';
  const text = String(Math.abs(amountMinor)).padStart(digits + 1, '0');
  if (digits === 0) return `${sign}${text}`;
  return `${sign}${text.slice(0, -digits)}${decimalPoint}${text.slice(-digits)}`;
}

/**
 * The amount as people write it in that language, such as `1.500 kr.` Icelandic is formatted here: browsers
 * come without it and use English instead, and the kiosk's page must show the same as the receipt.
 */
export function formatMoney(money: Money, language: Language): string {
  const digits = minorUnitDigits(money.currency);
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const amount = money.amountMinor / 10 ** digits;
  if (language !== 'is') {
    const { currency } = money;
    return numberFormat(LOCALES[language], { ...options, style: 'currency', currency }).format(amount);
  }
  // German marks thousands and decimals as Icelandic does.
  const number = numberFormat('de-DE', options).format(amount);
  return `${number}\u00a0${money.currency === 'ISK' ? 'kr.' : money.currency}`;
}

/** A rate of VAT, in percent, as people write it, such as `24%` or `11,5%`. Icelandic is put together here, as above. */
export function formatRate(rate: number, language: Language): string {
  if (language === 'is') return `${String(Math.round(rate * 100) / 100).replace('.', ',')}%`;
  const format = { style: 'percent', maximumFractionDigits: 2 } as const;
  return numberFormat(LOCALES[language], format).format(rate / 100);
}
