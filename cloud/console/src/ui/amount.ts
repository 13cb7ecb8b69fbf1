import { NUMBER_MARKS } from '@hlid/protocol/base/language';
import { minorUnitDigits } from '@hlid/protocol/base/money';
import { readDigits } from './typed-number.ts';

/** A typed amount in the currency's minor unit, with its currency or without; null: it is none. */
export function parseAmount(text: string, currency: string, language: 'is' | 'en'): number | null {
  const digits = minorUnitDigits(currency);
  const read = readDigits(text.replace(/kr\.?\s*$|[A-Z]{3}/gi, ''), language);
  if (read === null || read.decimals.length > digits) return null;
  const amount = Number(read.whole + read.decimals.padEnd(digits, '0'));
  return Number.isSafeInteger(amount) ? amount : null;
}

/** An amount as it stands in a field: without its currency. */
export function amountText(amountMinor: number, currency: string, language: 'is' | 'en'): string {
  const digits = minorUnitDigits(currency);
  const text = String(amountMinor).padStart(digits + 1, '0');
  if (digits === 0) return text;
  return `${text.slice(0, -digits)}${NUMBER_MARKS[language].decimal}${text.slice(-digits)}`;
}
