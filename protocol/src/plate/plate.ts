/**
 * Plates: how they are written, and when two of them may be the same car.
 *
 * A plate is never refused by its shape: foreign and private plates exist.
 */

/** Similarity of two plates, from equal to different. */
export type PlateMatch = 'equal' | 'confusable' | 'near' | 'different';

/** Characters that OCR confuses, one class per line; the first represents the class. */
const CONFUSABLE = ['0DOQÐ', '1IL', '2Z', '5S', '6G', '8B', 'PÞ'];

const FOLDED = new Map(
  CONFUSABLE.flatMap((group) => [...group].map((character) => [character, group.charAt(0)] as const)),
);

/** Greek and Cyrillic letters that look like Latin ones: people type one, cameras report the other. */
const LOOK_ALIKES = new Map(
  Object.entries({
    A: '\u0391\u0410',
    B: '\u0392\u0412',
    C: '\u03f9\u0421',
    E: '\u0395\u0415',
    H: '\u0397\u041d',
    I: '\u0399\u0406\u04c0',
    J: '\u037f\u0408',
    K: '\u039a\u041a',
    M: '\u039c\u041c',
    N: '\u039d',
    O: '\u039f\u041e',
    P: '\u03a1\u0420',
    Q: '\u051a',
    S: '\u0405',
    T: '\u03a4\u0422',
    W: '\u051c',
    X: '\u03a7\u0425',
    Y: '\u03a5\u0423\u04ae',
    Z: '\u0396',
  }).flatMap(([latin, letters]) => [...letters].map((letter) => [letter, latin] as const)),
);

/** Latin letters that no decomposition turns into the one of which they are a form. */
const FORMS = new Map(Object.entries({ Ø: 'O', Đ: 'D', Ł: 'L', Ħ: 'H', Ŧ: 'T', Ŋ: 'N' }));

/**
 * Letters that are also written with two others where a keyboard, a register or a camera does not have them (ICAO Doc
 * 9303, part 3, section 6). Some countries drop their marks instead, so `MÜ` is both `MUE` and `MU`.
 */
const SPELLINGS = new Map(
  Object.entries({ Þ: 'TH', Æ: 'AE', Ä: 'AE', Œ: 'OE', Ö: 'OE', Ø: 'OE', Å: 'AA', Ü: 'UE' }).map(
    ([letter, pair]) => [letter, [...pair].map((each) => FOLDED.get(each) ?? each).join('')] as const,
  ),
);

/** The letters that have only a spelling and no plain form, as the key has them. */
const KEY_OF_LIGATURE = new Map(Object.entries({ Æ: 'A', Œ: '0' }));

/** The texts of cameras for a vehicle without a readable plate, in normalised form. */
const UNREADABLE = new Set([
  '',
  'UNKNOWN',
  'UNKNOW',
  'NOPLATE',
  'NOPLATES',
  'NOLICENSEPLATE',
  'UNLICENSED',
  'UNREADABLE',
  'UNRECOGNIZED',
  'UNRECOGNISED',
  'UNRECOGNISE',
  'NOTRECOGNIZED',
  'NOTRECOGNISED',
  'NOTDETECTED',
  'NONE',
  'NULL',
  '无车牌',
  '无牌',
  '无牌车',
  '未识别',
]);

const SHORTEST_WITH_A_LOST_CHARACTER = 5;

/** Stands for a character of a plate that is not shown. */
export const HIDDEN_CHARACTER = '•';

/**
 * The plate as it is stored and compared: NFKC, upper case, letters and digits only, Icelandic letters kept.
 * May be empty.
 */
export function normalisePlate(raw: string): string {
  return (
    raw
      .normalize('NFKC')
      .toUpperCase()
      // The small ß has become SS.
      .replaceAll('ẞ', 'SS')
      .replace(/[^\p{L}\p{N}]/gu, '')
      // Letters that a separator held apart may join now (Korean).
      .normalize('NFKC')
  );
}

/** Replaces invalid bytes in a text, so the letter of a plate is unknown. */
const LOST_CHARACTER = '\uFFFD';

/** Normalises the plate of a camera's text; null if it is a placeholder for an unreadable plate, or garbled. */
export function readablePlate(raw: string | null | undefined): string | null {
  if (raw?.includes(LOST_CHARACTER)) return null;
  const plate = normalisePlate(raw ?? '');
  return UNREADABLE.has(plate) ? null : plate;
}

/**
 * The folded key of a normalised plate, the one folding of all searches: accents are dropped, and Greek and
 * Cyrillic look-alikes of Latin letters are replaced by these. Every character that OCR mixes up is replaced
 * by the first of its class, and a possible spelling of a letter (`TH` of Þ, `AE` of Æ or Ä, `OE`, `AA`,
 * `UE`) by that letter. Plates that may be the same share a key, so that an index finds them. `comparePlates`
 * judges them: `MU12` and `MUE12` share one too, since `MÜ12` is both.
 */
export function foldPlate(plate: string): string {
  return contractSpellings(foldLetters(plate));
}

/** A normalised plate with every letter replaced by the one of its class, spellings left as they are. */
export function foldLetters(plate: string): string {
  let folded = '';
  for (const character of plate) folded += foldLetter(character);
  return folded;
}

/** The key of folded letters. The order of the replacements does not matter: no spelling ends as another begins. */
export function contractSpellings(folded: string): string {
  let key = '';
  for (const letter of folded) {
    const plain = KEY_OF_LIGATURE.get(letter) ?? letter;
    const before = key.at(-1);
    if (plain === 'E' && (before === 'A' || before === '0' || before === 'U')) continue;
    if (plain === 'A' && before === 'A') continue;
    key = plain === 'H' && before === 'T' ? `${key.slice(0, -1)}P` : key + plain;
  }
  return key;
}

/** Whether OCR often takes this character for another one. */
export function isOftenMisread(character: string): boolean {
  return FOLDED.has(character);
}

function foldLetter(character: string): string {
  return FOLDED.get(character) ?? foldUncommon(character);
}

function foldUncommon(character: string): string {
  if (character <= 'Z') return character;
  const bare = character.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
  const latin = FORMS.get(bare) ?? LOOK_ALIKES.get(bare) ?? bare;
  return FOLDED.get(latin) ?? latin;
}

/** Compares two normalised plates. */
export function comparePlates(a: string, b: string): PlateMatch {
  if (a === b) return 'equal';
  const lettersA = foldLetters(a);
  const lettersB = foldLetters(b);
  if (lettersA === lettersB) return 'confusable';
  const keyA = contractSpellings(lettersA);
  const keyB = contractSpellings(lettersB);
  if (keyA === keyB && isSpeltLike(a, b)) return 'confusable';
  const near =
    oneEditApart(lettersA, lettersB) ||
    (keyA !== keyB && oneEditApart(keyA, keyB)) ||
    isPart(lettersA, lettersB) ||
    isPart(keyA, keyB);
  return near ? 'near' : 'different';
}

/** Whether two normalised plates are equal or confusable. */
export function isLookalike(a: string, b: string): boolean {
  const match = comparePlates(a, b);
  return match === 'equal' || match === 'confusable';
}

/** No plate is longer: the comparison takes time by the square. */
const MAX_SPELT = 24;

/** Whether two plates are the same but for letters that OCR mixes up, and letters that are spelt with two others. */
function isSpeltLike(a: string, b: string): boolean {
  if (Math.max(a.length, b.length) > MAX_SPELT) return false;
  const text = [...b];
  return lengthsSpeltLike([...a], text).has(text.length);
}

/** The lengths of the beginnings of `text` that are the whole of `whole`, spelt one way or another. */
function lengthsSpeltLike(whole: readonly string[], text: readonly string[]): Set<number> {
  /** The reachable ends in `text`, by the number of characters of `whole` that are used up. */
  const reachable: Set<number>[] = Array.from({ length: whole.length + 1 }, () => new Set<number>());
  reachable[0]?.add(0);
  for (const [at, ends] of reachable.entries()) {
    const own = whole[at];
    if (own === undefined) return ends;
    for (const end of ends) {
      const other = text[end];
      if (other === undefined) continue;
      const spelling = SPELLINGS.get(own);
      const otherSpelling = SPELLINGS.get(other);
      const isSame = foldLetter(own) === foldLetter(other);
      if (isSame || (spelling !== undefined && spelling === otherSpelling)) reachable[at + 1]?.add(end + 1);
      if (spelling !== undefined && spelling === pairAt(text, end)) reachable[at + 1]?.add(end + 2);
      if (otherSpelling !== undefined && otherSpelling === pairAt(whole, at)) reachable[at + 2]?.add(end + 1);
    }
  }
  return new Set();
}

/**
 * A plate with `•` for the characters that a person who typed a whole plate does not know: typing must not
 * reveal another car's plate. If the plates are the same but for a letter or two, in any spelling, all other
 * characters are shown; if not, only those at the same place. Both normalised.
 */
export function knownPlate(plate: string, typed: string): string {
  const [own, other] = [[...plate], [...typed].slice(0, MAX_SPELT)];
  const mayAlign = own.length <= MAX_SPELT && comparePlates(plate, typed) !== 'different';
  const aligned = mayAlign ? alignedPlaces(own, other) : null;
  const isKnown = (at: number) => aligned?.has(at) ?? own[at] === other[at];
  return own.map((character, at) => (isKnown(at) ? character : HIDDEN_CHARACTER)).join('');
}

/** The most places of `own` with letters that are typed in the same order, in any spelling. */
function alignedPlaces(own: readonly string[], typed: readonly string[]): Set<number> {
  const best: Set<number>[][] = [];
  for (let at = own.length; at >= 0; at--) {
    const row: Set<number>[] = [];
    best[at] = row;
    for (let from = typed.length; from >= 0; from--) {
      const choices = [best[at + 1]?.[from], row[from + 1]];
      for (const [length, used] of spellingsAt(own, at, typed, from)) {
        const rest = best[at + length]?.[from + used];
        if (rest) choices.push(new Set([...rest, ...Array.from({ length }, (_, place) => at + place)]));
      }
      row[from] = choices.reduce<Set<number>>(
        (one, two) => (two && two.size > one.size ? two : one),
        new Set(),
      );
    }
  }
  return best[0]?.[0] ?? new Set();
}

/** The numbers of characters of each text by which the same letters are spelt from these places on. */
function spellingsAt(
  own: readonly string[],
  at: number,
  typed: readonly string[],
  from: number,
): [own: number, typed: number][] {
  const [one, other] = [own[at], typed[from]];
  if (one === undefined || other === undefined) return [];
  const [spelling, otherSpelling] = [SPELLINGS.get(one), SPELLINGS.get(other)];
  const found: [number, number][] = [];
  if (bareLetter(one) === bareLetter(other)) found.push([1, 1]);
  if (spelling !== undefined && spelling === pairAt(typed, from)) found.push([1, 2]);
  if (otherSpelling !== undefined && otherSpelling === pairAt(own, at)) found.push([2, 1]);
  return found;
}

/** The letter without its accent. */
function bareLetter(character: string): string {
  const bare = character.normalize('NFD').replace(/\p{M}/gu, '');
  return FORMS.get(bare) ?? bare;
}

function pairAt(characters: readonly string[], at: number): string {
  return foldLetters(characters.slice(at, at + 2).join(''));
}

/**
 * The number of characters of a plate that are known to a caller who typed this as its beginning, in any
 * spelling; null: the plate does not begin so. Both texts are normalised.
 */
export function typedLength(plate: string, typed: string): number | null {
  const lengths = lengthsSpeltLike([...typed].slice(0, MAX_SPELT), [...plate].slice(0, MAX_SPELT));
  return lengths.size === 0 ? null : Math.min(...lengths);
}

/** One line of a plate that has two is no shorter. */
const MIN_PART = 3;

/**
 * Whether one text is the beginning or the end of the other. A camera may read one line of a plate that has two, or more
 * than the plate: the country's letters beside it, or what a dealer wrote around it.
 */
function isPart(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.length < MIN_PART || short.length === long.length) return false;
  return long.startsWith(short) || long.endsWith(short);
}

/** @param a and b not equal */
function oneEditApart(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1) return false;
  if (long.length !== short.length && long.length < SHORTEST_WITH_A_LOST_CHARACTER) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start++;
  const restShort = short.slice(short.length === long.length ? start + 1 : start);
  return restShort === long.slice(start + 1);
}

/**
 * Whether two normalised plates can each be one edit away from the same third plate, as two misreadings of one plate
 * often are. Always false for plates so short that half of the characters could differ.
 */
export function atMostTwoEditsApart(a: string, b: string): boolean {
  const keyA = foldPlate(a);
  const keyB = foldPlate(b);
  const shorter = Math.min(keyA.length, keyB.length);
  if (shorter < SHORTEST_WITH_A_LOST_CHARACTER - 1 || Math.abs(keyA.length - keyB.length) > 2) return false;
  return editsBetween(keyA, keyB) <= 2;
}

/** The Levenshtein distance. Plates are short. */
function editsBetween(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [row, characterA] of [...a].entries()) {
    const current = [row + 1];
    for (const [column, characterB] of [...b].entries()) {
      const replaced = (before[column] ?? 0) + (characterA === characterB ? 0 : 1);
      current.push(Math.min(replaced, (before[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    before = current;
  }
  return before[b.length] ?? 0;
}

/**
 * Matches a plate as a whole word in a text for people. A plate may be as short as `12`, so digits followed by a comma or
 * a point are an amount and do not match.
 */
export function plateInText(plate: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}.,-])${plate}(?![\\p{L}\\p{N}-]|[.,]\\p{N})`, 'gu');
}

/**
 * A typed text with `–` in place of a plate, also where it is spelt `qxz-77` or `QXZ 77`. A plate that is as short as a
 * price, or has no letters, is found only as it is.
 */
export function withoutTypedPlate(text: string, plate: string): string {
  // The expression takes a millisecond to build, and hardly a text contains the plate.
  if (!bareLetters(text).includes(bareLetters(plate))) return text;
  const isDistinct = plate.length >= 4 && /\p{L}/u.test(plate) && /\d/.test(plate);
  const spelt = isDistinct ? [...plate].join('[ -]?') : plate;
  return text.replace(new RegExp(plateInText(spelt).source, 'giu'), '–');
}

/** The letters in one case, and without what may stand within a typed plate. */
function bareLetters(text: string): string {
  // Both: some letters have only one of the two, such as the sign for Kelvin.
  return text.replace(/[ -]/g, '').toLowerCase().toUpperCase();
}

/** A plate among several, with its score. */
export interface PlateCandidate {
  plate: string;
  /** 0 to 1. */
  score: number;
}

/**
 * Finds the one entry that matches a read's plate: equal before confusable before near, the best candidate before the
 * next, and only if exactly one matches. `furthest` is the weakest similarity allowed.
 *
 * @returns the match; `'ambiguous'` if several match equally well and a person must decide; null if none matches
 */
export function findByPlate<T>(
  plates: readonly string[],
  known: readonly T[],
  plateOf: (item: T) => string | null,
  furthest: 'equal' | 'confusable' | 'near' = 'near',
): { item: T; match: Exclude<PlateMatch, 'different'> } | 'ambiguous' | null {
  const levels = (['equal', 'confusable', 'near'] as const).slice(
    0,
    furthest === 'equal' ? 1 : furthest === 'confusable' ? 2 : 3,
  );
  for (const level of levels) {
    for (const plate of plates) {
      const fitting = known.filter((item) => {
        const other = plateOf(item);
        return other !== null && comparePlates(plate, other) === level;
      });
      const [only] = fitting;
      if (fitting.length === 1 && only !== undefined) return { item: only, match: level };
      if (fitting.length > 1) return 'ambiguous';
    }
  }
  return null;
}
