import { CARD_BRANDS } from '@hlid/protocol/pages/card-brands';
import type { CardField } from '@hlid/protocol/pages/pay-api';
import creditCardType from 'credit-card-type';

type Brand = ReturnType<typeof creditCardType>[number];

/** The library has no gap for the digits beyond sixteen. */
const LAST_GAP = 16;
const USUAL_GAPS = [4, 8, 12];
const MAX_DIGITS = 19;
const MAX_YEARS_AHEAD = 19;

/** A card as the form has it, with gaps. */
export interface TypedCard {
  number: string;
  expire: string;
  ccv: string;
}

/** The brand of a number or of its first digits; null: none that is taken here, or several are possible still. */
export function brandOf(number: string): Brand | null {
  const possible = creditCardType(digitsOf(number)).filter(({ type }) =>
    CARD_BRANDS.some((one) => one === type),
  );
  const [brand] = possible;
  return possible.length === 1 && brand !== undefined ? brand : null;
}

/** The number with the gaps of its brand. */
export function groupNumber(typed: string): string {
  const brand = brandOf(typed);
  const digits = digitsOf(typed).slice(0, Math.max(...(brand?.lengths ?? [MAX_DIGITS])));
  const gaps = [...(brand?.gaps ?? USUAL_GAPS), LAST_GAP];
  return [...digits].map((digit, at) => (gaps.includes(at) ? ` ${digit}` : digit)).join('');
}

/** Month and year as `12/30`, from what people type (`1230`, `1/30`, `12/2030`) and browsers fill in (`2030-12`). */
export function groupExpiry(typed: string): string {
  const text = typed.trim();
  const [, early, late] = /^(20\d{2})\D{1,3}(\d{1,2})/.exec(text) ?? [];
  if (early !== undefined && late !== undefined) return monthAndYear(late, early);
  const [, month, year] = /^(\d{1,2})\s*[/. -]\s*(\d{0,4})/.exec(text) ?? [];
  if (month !== undefined && year !== undefined) return monthAndYear(month, year);
  const digits = digitsOf(text);
  // The year comes first where no month would.
  const [, first, last] = /^(20\d{2}|\d{2})(\d{2})$/.exec(digits) ?? [];
  if (first !== undefined && last !== undefined && Number(digits.slice(0, 2)) > 12 && isMonth(last)) {
    return monthAndYear(last, first);
  }
  const padded = digits.replace(/^([2-9])/, '0$1');
  return padded.length <= 2 ? padded : monthAndYear(padded.slice(0, 2), padded.slice(2));
}

function monthAndYear(month: string, year: string): string {
  const twoDigits = year.length > 2 && year.startsWith('20') ? year.slice(2, 4) : year.slice(0, 2);
  return `${month.padStart(2, '0')}/${twoDigits}`;
}

function isMonth(text: string): boolean {
  return Number(text) >= 1 && Number(text) <= 12;
}

export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

export type CardMistake = CardField | 'expired' | 'incomplete';

/** The mistakes by field; an empty object: none. */
export function cardMistakes(
  card: TypedCard,
  now: Date,
): Partial<Record<'number' | 'expire' | 'ccv', CardMistake>> {
  const number = numberMistake(digitsOf(card.number));
  const expire = expiryMistake(card.expire, now);
  const code = digitsOf(card.ccv).length;
  const needed = brandOf(card.number)?.code.size ?? 3;
  return {
    ...(number && { number }),
    ...(expire && { expire }),
    ...(code !== needed && { ccv: 'ccv' as const }),
  };
}

function numberMistake(digits: string): CardMistake | null {
  const brand = brandOf(digits);
  if (digits.length < 12) return 'incomplete';
  if (brand === null) return 'brand';
  return brand.lengths.includes(digits.length) && passesLuhn(digits) ? null : 'number';
}

function expiryMistake(expire: string, now: Date): CardMistake | null {
  const [, month = '', year = ''] = /^(\d{2})\/(\d{2})$/.exec(expire) ?? [];
  if (!isMonth(month)) return 'expire';
  const monthsLeft = (2000 + Number(year) - now.getFullYear()) * 12 + Number(month) - (now.getMonth() + 1);
  if (monthsLeft < 0) return 'expired';
  return monthsLeft > MAX_YEARS_AHEAD * 12 + 11 ? 'expire' : null;
}

/** ISO/IEC 7812, annex B. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]);
    sum += at % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0);
  }
  return sum % 10 === 0;
}
