import { z } from 'zod';
import { MAIL_ADDRESS, MAX_MAIL_ADDRESS } from './mail-address.ts';
import { wrong } from './mistakes/mistake.ts';

/** How many digits of a card number may be shown at its end (PCI DSS 3.4.1). */
const SHOWN_LAST = 4;
const MIN_DIGITS = 13;
const MAX_DIGITS = 19;
/** Signs between two digits of one number: two blanks, a dash between blanks. */
const MAX_GAP = 4;

/** The brands of the specification: how their numbers begin, and how many digits they have (ISO/IEC 7812). */
const BRANDS: readonly { starts: RegExp; lengths: readonly number[] }[] = [
  { starts: /^4/, lengths: [13, 16, 19] }, // Visa, Visa Electron, Elo
  { starts: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] }, // Mastercard
  { starts: /^3[47]/, lengths: [15] }, // American Express
  { starts: /^3(?:0[0-5]|[689])/, lengths: [14, 16, 19] }, // Diners Club
  { starts: /^(?:2131|1800)/, lengths: [15] }, // JCB, old ones
  { starts: /^35/, lengths: [16, 17, 18, 19] }, // JCB
  { starts: /^220[0-4]/, lengths: [16, 17, 18, 19] }, // Mir
  { starts: /^6/, lengths: [16, 17, 18, 19] }, // Discover, UnionPay, Maestro, Hiper, Hipercard
  { starts: /^5[06-9]/, lengths: [16, 18, 19] }, // Maestro, Elo
];

/** Numbers that are no card's, though their digits may look so: UUIDs, dates, times of day. */
const OTHER_NUMBERS =
  /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|(?<![\d.:/-])(?:(?:19|20)\d\d([-./])[01]?\d\1[0-3]?\d|[0-3]?\d([-./])[01]?\d\2(?:(?:19|20)\d\d|\d\d))(?![\d:/-]|\.\d)|(?<![\d.:])[0-2]?\d[:.][0-5]\d(?:[:.][0-5]\d)?(?![\d:]|\.\d)/gi;

/** A digit of a text, in whatever script it is written. */
interface Digit {
  value: number;
  from: number;
  to: number;
  /** It stands right behind another. */
  joined: boolean;
}

/**
 * The text with `*` for all but the last four digits of each card number. A number is found by its digits,
 * whatever signs stand between them, and recognised by check digit, brand and length. Every text that a
 * device sent or a person typed passes here before it is kept, logged or shown.
 */
export function hideCardNumbers(text: string): string {
  return hideSecurityCodes(hideNumbers(text));
}

/** The names of a card's security code, which must not be kept (PCI DSS 3.3.1.2). */
const SECURITY_CODE =
  /(?<![\p{L}\d])((?:c[vs]c2?|cvv2?|ccv|card\s+security\s+code|security\s+code|öryggis(?:númer|kóði|kóða|tala|tölu))(?:\s*(?:code|number|nr\.?|no\.?|er|is))?[\s:=#.,;()/-]{0,4})(\d{3,4})(?!\d)/giu;

function hideSecurityCodes(text: string): string {
  return text.replace(SECURITY_CODE, (_all, name: string, code: string) => name + '*'.repeat(code.length));
}

function hideNumbers(text: string): string {
  const runs = runsOf(text);
  if (runs.length === 0) return text;
  const hidden = runs.flatMap((run) => cardsIn(text, run).flatMap((card) => card.slice(0, -SHOWN_LAST)));
  let shown = '';
  let at = 0;
  for (const { from, to } of [...new Set(hidden)].sort((a, b) => a.from - b.from)) {
    shown += `${text.slice(at, from)}*`;
    at = to;
  }
  return shown + text.slice(at);
}

/** A text that a device sent or a person typed, without card numbers. */
export const TypedTextSchema = z.string().overwrite(hideCardNumbers);

/** An address for mail, everywhere. A card number in it is a mistake, and is not kept. */
export const MailAddressSchema = z
  .email({ pattern: MAIL_ADDRESS })
  .max(MAX_MAIL_ADDRESS)
  .refine((text) => hideCardNumbers(text) === text, wrong('card-number-within'));

/**
 * Whether digits are a card number, by the check digit (ISO/IEC 7812, Luhn), the length, and the beginning of
 * a brand's numbers.
 */
export function isCardNumber(digits: string): boolean {
  if (!BRANDS.some(({ starts, lengths }) => lengths.includes(digits.length) && starts.test(digits)))
    return false;
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]);
    sum += at % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0);
  }
  return sum % 10 === 0;
}

/** Digits with few signs and no letter between them, as many as a card has, and with no other number among them. */
function runsOf(text: string): Digit[][] {
  // Nearly all texts have fewer.
  if (text.length < MIN_DIGITS) return [];
  const others = Array.from(text.matchAll(OTHER_NUMBERS), ({ 0: other, index }) => index + other.length);
  const starts = new Set(Array.from(text.matchAll(OTHER_NUMBERS), ({ index }) => index));
  const runs: Digit[][] = [];
  let run: Digit[] = [];
  let gap = 0;
  const end = () => {
    if (run.length >= MIN_DIGITS) runs.push(run);
    run = [];
  };
  let other = 0;
  for (let from = 0; from < text.length; ) {
    const code = text.codePointAt(from) ?? 0;
    const to = from + (code > 0xffff ? 2 : 1);
    if (starts.has(from)) {
      end();
      from = others[other++] ?? to;
      continue;
    }
    const value = digitOf(code);
    if (value !== null) {
      run.push({ value, from, to, joined: run.length > 0 && gap === 0 });
      gap = 0;
    } else if (!isSeparator(code) && (isLetter(code) || ++gap > MAX_GAP)) {
      end();
      gap = 0;
    }
    from = to;
  }
  end();
  return runs;
}

function digitOf(code: number): number | null {
  if (code < 0x80) return code >= 0x30 && code <= 0x39 ? code - 0x30 : null;
  const sign = String.fromCodePoint(code);
  const plain = sign.normalize('NFKC');
  if (/^[0-9]$/.test(plain)) return Number(plain);
  if (!isDecimal(code)) return null;
  // Every script's ten digits begin at a code that ends in 0 or 6.
  const place = code & 0xf;
  return isDecimal(code - place) ? place : place - 6;
}

function isDecimal(code: number): boolean {
  return /^\p{Nd}$/u.test(String.fromCodePoint(code));
}

/**
 * Bytes that a device puts where a blank belongs, as Latin-1 and other code pages read them: no-break blank
 * (A0), FF (`ÿ` and, in others, a blank), what UTF-8 cannot read (U+FFFD), and marks without a width. Any
 * number of them in a row separates digits of one number.
 */
function isSeparator(code: number): boolean {
  if (code === 0xa0 || code === 0xff || code === 0xfffd || code === 0x2c7 || code === 0x2d9) return true;
  return code >= 0x80 && /^[\p{Cc}\p{Cf}\p{Mn}\p{Zs}\p{Co}\p{Cn}]$/u.test(String.fromCodePoint(code));
}

function isLetter(code: number): boolean {
  if (code < 0x80) return (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
  return /^\p{L}$/u.test(String.fromCodePoint(code));
}

/** The card numbers in a run: from where a group of digits begins to where one ends. */
function cardsIn(text: string, run: readonly Digit[]): Digit[][] {
  const cards: Digit[][] = [];
  for (let from = 0; from + MIN_DIGITS <= run.length; from++) {
    for (let length = MIN_DIGITS; length <= MAX_DIGITS && from + length <= run.length; length++) {
      const part = run.slice(from, from + length);
      if (!isCardNumber(part.map(({ value }) => value).join(''))) continue;
      if (isWhole(run, from, length) && !isPhone(text, part)) cards.push(part);
    }
  }
  return cards;
}

/**
 * Whether digits stand by themselves, or something stands right before or behind them, as an expiry date does: the
 * number is then without gaps itself, or in groups of four.
 */
function isWhole(run: readonly Digit[], from: number, length: number): boolean {
  const begins = !run[from]?.joined;
  const ends = !run[from + length]?.joined;
  if (begins && ends) return true;
  const part = run.slice(from, from + length);
  const gaps = part.flatMap(({ joined }, at) => (at > 0 && !joined ? [at] : []));
  const inFours = gaps.length > 0 && gaps.every((at, n) => at === (n + 1) * 4) && gaps.length === 3;
  return (begins || ends) && (gaps.length === 0 || (begins && inFours));
}

/** `+` and at most 15 digits (ITU-T E.164). */
function isPhone(text: string, part: readonly Digit[]): boolean {
  const [first] = part;
  if (first === undefined || part.length > 15 || text[first.from - 1] !== '+') return false;
  return !/\d\s*$/.test(text.slice(0, first.from - 1));
}
