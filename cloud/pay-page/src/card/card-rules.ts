import type { CardField } from '@hlid/protocol/pages/pay-api';

/** How a brand's numbers begin and are written. The cloud checks cards again, with a library. */
interface Brand {
  name: string;
  starts: RegExp;
  lengths: readonly number[];
  /** Digits after which there is a gap. */
  gaps: readonly number[];
  codeLength: number;
}

const FOURS = [4, 8, 12, 16];

/** The brands by ISO/IEC 7812. The first that fits applies. */
const BRANDS: readonly Brand[] = [
  { name: 'American Express', starts: /^3[47]/, lengths: [15], gaps: [4, 10], codeLength: 4 },
  { name: 'Diners Club', starts: /^3(?:0[0-5]|[689])/, lengths: [14, 16, 19], gaps: [4, 10], codeLength: 3 },
  { name: 'JCB', starts: /^35|^2131|^1800/, lengths: [15, 16, 17, 18, 19], gaps: FOURS, codeLength: 3 },
  { name: 'Visa', starts: /^4/, lengths: [13, 16, 18, 19], gaps: FOURS, codeLength: 3 },
  {
    name: 'Mastercard',
    starts: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengths: [16],
    gaps: FOURS,
    codeLength: 3,
  },
  { name: 'Mir', starts: /^220[0-4]/, lengths: [16, 17, 18, 19], gaps: FOURS, codeLength: 3 },
  { name: 'UnionPay', starts: /^62|^81/, lengths: [14, 15, 16, 17, 18, 19], gaps: FOURS, codeLength: 3 },
  { name: 'Discover', starts: /^6(?:011|4[4-9]|5)/, lengths: [16, 19], gaps: FOURS, codeLength: 3 },
  {
    name: 'Maestro',
    starts: /^(?:5[06-9]|6)/,
    lengths: [12, 13, 14, 15, 16, 17, 18, 19],
    gaps: FOURS,
    codeLength: 3,
  },
];

const MAX_DIGITS = 19;
const MAX_YEARS_AHEAD = 19;

/** A card as the form has it, with gaps. */
export interface TypedCard {
  number: string;
  expire: string;
  ccv: string;
}

export function brandOf(number: string): Brand | null {
  const digits = digitsOf(number);
  return BRANDS.find(({ starts }) => starts.test(digits)) ?? null;
}

/** The number with the gaps of its brand. */
export function groupNumber(typed: string): string {
  const brand = brandOf(typed);
  const digits = digitsOf(typed).slice(0, Math.max(...(brand?.lengths ?? [MAX_DIGITS])));
  const gaps = brand?.gaps ?? FOURS;
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

/** What is wrong in each field; an empty object: nothing. */
export function cardMistakes(
  card: TypedCard,
  now: Date,
): Partial<Record<'number' | 'expire' | 'ccv', CardMistake>> {
  const number = numberMistake(digitsOf(card.number));
  const expire = expiryMistake(card.expire, now);
  const code = digitsOf(card.ccv).length;
  const needed = brandOf(card.number)?.codeLength ?? 3;
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
