import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/durations.ts';
import { millis, type UtcTime, utcTime } from '../base/utc-time.ts';

/**
 * The code of an online payment, for a site that cannot receive the payment: the driver types it at the
 * kiosk, and the exit opens. It contains what was paid and when, and is signed for one visit of one site.
 * Letters that look alike are read alike.
 *
 *   time (3) · units (1) · amount (3 or more) · signature (7) · check (1), each a digit of base 32
 */
export const CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BASE = 32;
const TIME_DIGITS = 3;
const MIN_AMOUNT_DIGITS = 3;
const SIGNATURE_DIGITS = 7;
/** Bits of a digit. */
const DIGIT_BITS = 5;
const GROUP = 5;
const MIN_LENGTH = TIME_DIGITS + 1 + MIN_AMOUNT_DIGITS + SIGNATURE_DIGITS + 1;
/** The largest amounts have seven digits. */
export const MAX_CODE_LENGTH = MIN_LENGTH + 4;
export const MAX_CODE_TEXT = 40;

/** The precision of times is two minutes. */
const TIME_STEP_MS = 2 * MINUTE_MS;
const TIME_STEPS = BASE ** TIME_DIGITS;
/** The longest time by which the site's clock may be behind the cloud's. */
const MAX_AHEAD_MS = HOUR_MS;
/** The time for which a code is good; after that the same digits would be another time. */
const MAX_AGE_MS = 40 * DAY_MS;

/** The content of a code. */
export interface ExitCodeClaim {
  /** Rounded up to two minutes. */
  paidAt: UtcTime;
  units: number;
  amountMinor: number;
}

/** The stay that the code is for. */
export interface ExitCodeStay {
  siteId: string;
  visitId: string;
  currency: string;
}

/** Signs a text with the key of the site: at least five bytes. */
export type SignCode = (text: string) => Uint8Array;

/** The moment that a code has for a payment. */
export function codeTime(paidAt: UtcTime): UtcTime {
  return utcTime(Math.ceil(millis(paidAt) / TIME_STEP_MS) * TIME_STEP_MS);
}

/** The code of a payment, in groups; null: no code can contain it. */
export function exitCode(stay: ExitCodeStay, paid: ExitCodeClaim, sign: SignCode): string | null {
  const { units, amountMinor } = paid;
  if (units < 0 || units >= BASE || amountMinor < 0 || amountMinor >= BASE ** (MIN_AMOUNT_DIGITS + 4))
    return null;
  const step = (millis(codeTime(paid.paidAt)) / TIME_STEP_MS) % TIME_STEPS;
  const amount = Math.max(MIN_AMOUNT_DIGITS, digitsOf(amountMinor));
  const head = digits(step, TIME_DIGITS) + digits(units, 1) + digits(amountMinor, amount);
  const signed = head + signature(stay, { ...paid, paidAt: codeTime(paid.paidAt) }, sign);
  const code = signed + checkDigit(signed);
  return code.match(/.{1,5}/g)?.join('-') ?? null;
}

/**
 * Reads a code that a driver has typed for a visit.
 *
 * @returns what was paid; `wrong-code`: mistyped, forged, or of another stay; `expired`: too old
 */
export function readExitCode(
  stay: ExitCodeStay,
  typed: string,
  sign: SignCode,
  now: UtcTime,
): ExitCodeClaim | 'wrong-code' | 'expired' {
  const code = plainCode(typed);
  if (!isWellFormed(code)) return 'wrong-code';
  const amountEnd = code.length - SIGNATURE_DIGITS - 1;
  const [step, units] = [numberOf(code.slice(0, TIME_DIGITS)), numberOf(code.charAt(TIME_DIGITS))];
  const amountMinor = numberOf(code.slice(TIME_DIGITS + 1, amountEnd));
  const claim = { paidAt: nearestTime(step, now), units, amountMinor };
  if (!isSame(signature(stay, claim, sign), code.slice(amountEnd, -1))) return 'wrong-code';
  return millis(now) - millis(claim.paidAt) > MAX_AGE_MS ? 'expired' : claim;
}

/**
 * Whether it can be a code: its length and its check digit. A typing mistake is found before anything else is
 * checked.
 */
export function isWellFormed(typed: string): boolean {
  const code = plainCode(typed);
  if (code.length < MIN_LENGTH || code.length > MAX_CODE_LENGTH) return false;
  return (
    [...code].every((digit) => CODE_ALPHABET.includes(digit)) && checkDigit(code.slice(0, -1)) === code.at(-1)
  );
}

/** The code as it is written, with letters that are easily confused replaced. */
export function plainCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
    .replaceAll('U', 'V');
}

/** The code in the groups in which it is shown. */
export function groupedCode(typed: string): string {
  return (
    plainCode(typed)
      .match(new RegExp(`.{1,${GROUP}}`, 'g'))
      ?.join('-') ?? ''
  );
}

/** The latest moment with these digits that is not too far ahead. */
function nearestTime(step: number, now: UtcTime): UtcTime {
  const latest = Math.floor((millis(now) + MAX_AHEAD_MS) / TIME_STEP_MS);
  const back = (((latest - step) % TIME_STEPS) + TIME_STEPS) % TIME_STEPS;
  return utcTime((latest - back) * TIME_STEP_MS);
}

function signature(
  { siteId, visitId, currency }: ExitCodeStay,
  { paidAt, units, amountMinor }: ExitCodeClaim,
  sign: SignCode,
): string {
  const bytes = sign(['exit-code', siteId, visitId, currency, paidAt, units, amountMinor].join('\n'));
  const bits = [...bytes.slice(0, 5)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.slice(0, SIGNATURE_DIGITS * DIGIT_BITS).match(/.{5}/g) ?? [];
  return groups.map((group) => digits(Number.parseInt(group, 2), 1)).join('');
}

/** Takes the same time wherever they differ. */
function isSame(one: string, other: string): boolean {
  let differ = one.length ^ other.length;
  for (let at = 0; at < one.length; at++) differ |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return differ === 0;
}

/** Luhn's check digit by base 32: one wrong digit shows, and two that are swapped. */
function checkDigit(code: string): string {
  let sum = 0;
  [...code].toReversed().forEach((digit, at) => {
    const value = CODE_ALPHABET.indexOf(digit) * (at % 2 === 0 ? 2 : 1);
    sum += Math.floor(value / BASE) + (value % BASE);
  });
  return digits((BASE - (sum % BASE)) % BASE, 1);
}

function digits(value: number, length: number): string {
  let text = '';
  for (let rest = value, at = 0; at < length; at++, rest = Math.floor(rest / BASE)) {
    text = CODE_ALPHABET.charAt(rest % BASE) + text;
  }
  return text;
}

function numberOf(text: string): number {
  return [...text].reduce((sum, digit) => sum * BASE + CODE_ALPHABET.indexOf(digit), 0);
}

function digitsOf(value: number): number {
  return digits(value, MAX_CODE_LENGTH).replace(/^0+/, '').length;
}
