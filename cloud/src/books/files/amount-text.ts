import { minorUnitDigits } from '@hlid/protocol/base/money';

/** Providers write fees with more decimals than a currency has: sums are checked in hundredths of the minor unit. */
const FINER = 2;
const FINER_UNITS = 10 ** FINER;
/** Beyond it, a sum of many rows would not be a safe integer. */
const MAX_DIGITS = 11;

/** How a file writes its numbers. */
export interface NumberFormat {
  decimal: '.' | ',';
  /** The mark between thousands; null: none. */
  thousands: '.' | ',' | ' ' | "'" | null;
}

export const PLAIN_NUMBERS: NumberFormat = { decimal: '.', thousands: null };

/**
 * An amount as files write it, in hundredths of the currency's minor unit. A minus may stand before or behind it.
 *
 * @returns null: it is no amount, or has more decimals than are read
 */
export function fineAmount(text: string, currency: string, format: NumberFormat): number | null {
  const { decimal, thousands } = format;
  const bare = text.replaceAll('\u00a0', ' ').replace('\u2212', '-').trim();
  const [, before = '', body = '', behind = ''] = /^([+-]?)\s*([\d.,' ]+?)\s*(-?)$/.exec(bare) ?? [];
  if (body === '' || (before !== '' && behind !== '')) return null;
  const parts = body.split(decimal);
  if (parts.length > 2) return null;
  const whole = digitsOf(parts[0] ?? '', thousands);
  const decimals = parts[1] ?? '';
  if (whole === null || !/^\d*$/.test(decimals) || whole.length > MAX_DIGITS) return null;
  if (parts.length === 2 && decimals === '') return null;
  const places = minorUnitDigits(currency) + FINER;
  if (/[1-9]/.test(decimals.slice(places))) return null;
  const fine = Number(`${whole}${decimals.slice(0, places).padEnd(places, '0')}`);
  return before === '-' || behind === '-' ? 0 - fine : fine;
}

/** The digits of the part before the decimals; marks between thousands must stand where thousands are. */
function digitsOf(whole: string, thousands: NumberFormat['thousands']): string | null {
  if (/^\d+$/.test(whole)) return whole.replace(/^0+(?=\d)/, '');
  if (thousands === null) return null;
  const [first = '', ...groups] = whole.split(thousands);
  const isGrouped = /^\d{1,3}$/.test(first) && groups.every((group) => /^\d{3}$/.test(group));
  return isGrouped ? [first, ...groups].join('').replace(/^0+(?=\d)/, '') : null;
}

/** Rounds to the minor unit, half away from zero. */
export function minorOfFine(fine: number): number {
  const rounded = Math.round(Math.abs(fine) / FINER_UNITS);
  return fine < 0 ? 0 - rounded : rounded;
}

/** Whether it is a whole number of minor units. */
export function isWholeMinor(fine: number): boolean {
  return fine % FINER_UNITS === 0;
}

export function fineOfMinor(minor: number): number {
  return minor * FINER_UNITS;
}

/** An amount of a file for people who compare it with the file: `-1234.50 EUR`. */
export function amountText(fine: number, currency: string): string {
  const digits = minorUnitDigits(currency);
  const places = digits + FINER;
  const text = String(Math.abs(fine)).padStart(places + 1, '0');
  const whole = text.slice(0, -places);
  const all = text.slice(-places);
  const decimals = /[1-9]/.test(all.slice(digits)) ? all.replace(/0+$/, '') : all.slice(0, digits);
  return `${fine < 0 ? '-' : ''}${whole}${decimals === '' ? '' : `.${decimals}`} ${currency}`;
}

export function minorText(minor: number, currency: string): string {
  return amountText(fineOfMinor(minor), currency);
}
