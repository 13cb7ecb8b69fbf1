import type { CardField } from '@hlid/protocol/pay-api';

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

/** By ISO/IEC 7812. The first that fits. */
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

/** Month and year as `12/30`; also from `1230`, `12/2030` and `1/30`. */
export function groupExpiry(typed: string): string {
  const [, month, year] = /^(\d{1,2})\s*[/.-]\s*(\d{0,4})/.exec(typed.trim()) ?? [];
  if (month !== undefined && year !== undefined) {
    return `${month.padStart(2, '0')}/${year.length > 2 && year.startsWith('20') ? year.slice(2, 4) : year.slice(0, 2)}`;
  }
  const digits = digitsOf(typed).replace(/^([2-9])/, '0$1');
  if (digits.length <= 2) return digits;
  const rest = digits.slice(2);
  return `${digits.slice(0, 2)}/${rest.length > 2 && rest.startsWith('20') ? rest.slice(2, 4) : rest.slice(0, 2)}`;
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
  if (month === '' || Number(month) < 1 || Number(month) > 12) return 'expire';
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
