import { NUMBER_MARKS } from '@hlid/protocol/base/language';
import { minorUnitDigits } from '@hlid/protocol/base/money';

/**
 * A typed amount in the currency's minor unit; null: it is none. Thousands may be marked, in groups of three: a mark at
 * another place is read as a mistake, since it may be a decimal mark of another language.
 */
export function parseAmount(text: string, currency: string, language: 'is' | 'en'): number | null {
  const { group, decimal } = NUMBER_MARKS[language];
  const digits = minorUnitDigits(currency);
  const plain = text.replace(/\s|kr\.?$|[A-Z]{3}/gi, '');
  const [whole = '', ...rest] = plain.split(decimal);
  const [fraction = ''] = rest;
  if (rest.length > 1 || fraction.length > digits || !/^\d*$/.test(fraction)) return null;
  const groups = whole.split(group);
  const [first = '', ...others] = groups;
  const isGrouped = /^\d{1,3}$/.test(first) && others.every((one) => /^\d{3}$/.test(one));
  if (!/^\d+$/.test(first) || (others.length > 0 && !isGrouped)) return null;
  const amount = Number(groups.join('') + fraction.padEnd(digits, '0'));
  return Number.isSafeInteger(amount) ? amount : null;
}

/** An amount as it stands in a field: without its currency. */
export function amountText(amountMinor: number, currency: string, language: 'is' | 'en'): string {
  const digits = minorUnitDigits(currency);
  const text = String(amountMinor).padStart(digits + 1, '0');
  if (digits === 0) return text;
  return `${text.slice(0, -digits)}${NUMBER_MARKS[language].decimal}${text.slice(-digits)}`;
}
