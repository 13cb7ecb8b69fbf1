import { isCardNumber } from '@hlid/protocol/base/card-number';
import { CARDS } from '../sim/zvt-cards.ts';

/**
 * Ids and hashes are random, and not of a card. The same holds for the rest of an id after a database has
 * used its end or its beginning again. Such a rest is recognised by its version and variant.
 */
const IDS = new RegExp(
  [
    '[0-9a-f]{8}(?:-[0-9a-f]{4}){2,3}(?:-[0-9a-f]{0,12})?',
    '[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{5,12}',
    '[0-9a-f]{32,}',
  ].join('|'),
  'gi',
);
/** The digits have blanks or dashes between them, or none; digits after a decimal point are a fraction. */
const RUNS = /(?<!\d[ -]?|\d\.)\d(?:[ -]?\d){12,18}(?![ -]?\d)/g;
/** How the brands' numbers begin, and how long they are: other runs of digits are ids, moments and sums. */
const ISSUED = new RegExp(
  [
    '^4(?:\\d{12}|\\d{15}|\\d{18})$', // Visa
    '^(?:5[1-5]|2[2-7])\\d{14}$', // Mastercard
    '^3[47]\\d{13}$', // American Express
    '^3[0689]\\d{12,17}$', // Diners
    '^35\\d{14,17}$', // JCB
    '^(?:5[06-9]|6\\d)\\d{11,17}$', // Maestro, Discover, UnionPay
  ].join('|'),
);

/**
 * Finds what can be a card's number: every run of 13 to 19 digits with a right check digit. It also finds the
 * numbers of the simulated cards in any notation, and in the middle of other digits.
 */
export function cardNumbersIn(content: Uint8Array | string): string[] {
  const bytes = Buffer.from(content);
  const known = Object.values(CARDS).flatMap(({ number }) =>
    formsOf(number).filter((form) => bytes.includes(form)),
  );
  const runs = bytes.toString('latin1').replaceAll(IDS, '#').match(RUNS) ?? [];
  const digits = runs.map((run) => run.replaceAll(/\D/g, ''));
  return [
    ...known.map((form) => form.toString('latin1')),
    ...digits.filter((number) => ISSUED.test(number) && isCardNumber(number)),
  ];
}

/**
 * The forms of a number: digits, in groups, packed two to a byte as on the wire, as UTF-16, and in base64.
 */
function formsOf(number: string): Buffer[] {
  const padded = number.length % 2 === 0 ? number : `${number}f`;
  return [
    Buffer.from(number),
    Buffer.from(number.replace(/(.{4})(?=.)/g, '$1 ')),
    Buffer.from(number, 'utf16le'),
    Buffer.from(padded, 'hex'),
    Buffer.from(padded),
    Buffer.from(Buffer.from(number).toString('base64').slice(0, 16)),
  ];
}
