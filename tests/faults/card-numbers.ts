import { isCardNumber } from '@hlid/edge/terminal/card-number';
import { CARDS } from '../sim/zvt-cards.ts';

/** Ids and hashes are random, and not of a card. */
const IDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,}/gi;
/** With blanks or dashes between its digits, or without; what stands behind a decimal point is a fraction. */
const RUNS = /(?<!\d[ -]?|\d\.)\d(?:[ -]?\d){12,18}(?![ -]?\d)/g;
/** Payment cards begin so (ISO/IEC 7812, major industry identifiers); milliseconds since 1970 do not. */
const ISSUED = /^[2-6]/;

/**
 * What is in there that can be a card's number: every run of 13 to 19 digits with a right check digit, and the numbers
 * of the simulated cards however they are written, in the middle of other digits too.
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

/** As digits, in groups, packed two to a byte as on the wire, as UTF-16, and in base64. */
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
