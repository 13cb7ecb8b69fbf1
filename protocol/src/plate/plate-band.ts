import { foldLetters } from './plate.ts';

/**
 * The letters of the country as plates show them beside the number: in the blue band of the European Union
 * and of those that follow it, or on an oval (Vienna Convention on Road Traffic, annex 3). The code of ISO
 * 3166 follows each that has another one.
 */
const SIGNS = new Map(
  `A:AT AL AM AND:AD AZ B:BE BG BIH:BA BY CH CY CZ D:DE DK E:ES EST:EE F:FR FIN:FI FL:LI FO GB GBZ:GI GE GR H:HU HR I:IT
  IRL:IE IS KZ L:LU LT LV M:MT MC MD MK MNE:ME N:NO NL NMK:MK P:PT PL RKS:XK RO RSM:SM RUS:RU S:SE SK SLO:SI SRB:RS TR
  UA UK:GB V:VA`
    .split(/\s+/)
    .map((pair) => pair.split(':'))
    .map(([sign = '', country = sign]) => [sign, country] as const),
);

export const COUNTRY_SIGNS: readonly string[] = [...SIGNS.keys()];

const BY_FOLDED_SIGN = new Map([...SIGNS].map(([sign, country]) => [foldLetters(sign), { sign, country }]));

const LONGEST_SIGN = 3;
/**
 * The least characters that remain without a country's letters: in a shorter rest they may belong to the
 * plate.
 */
const MIN_NUMBER = 4;

/**
 * The plates that a plate may be, if the camera read the country's letters as part of it. They are this plate
 * without letters at its beginning, or with the letters of its country. A single letter counts only where the
 * camera reports that country, since many plates begin with it.
 *
 * @param country ISO 3166 alpha-2, as the camera reports it; null: it reports none
 */
export function platesBesideBand(plate: string, country: string | null): string[] {
  const found: string[] = [];
  const letters = [...plate];
  for (let length = 1; length <= Math.min(LONGEST_SIGN, letters.length - MIN_NUMBER); length++) {
    const sign = BY_FOLDED_SIGN.get(foldLetters(letters.slice(0, length).join('')));
    if (sign && isOf(sign, country)) found.push(letters.slice(length).join(''));
  }
  if (country === null || letters.length < MIN_NUMBER) return found;
  const withSign = [...SIGNS].flatMap(([sign, its]) => (its === country ? [sign + plate] : []));
  return [...found, ...withSign];
}

function isOf(sign: { sign: string; country: string }, country: string | null): boolean {
  return country === null ? sign.sign.length > 1 : sign.country === country;
}
