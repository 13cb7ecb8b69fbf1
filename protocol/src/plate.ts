/**
 * Plates: how they are written, and when two of them may be the same car.
 *
 * A plate is never refused by its shape: foreign and private plates exist.
 */

/** How alike two plates are, from certain to not at all. */
export type PlateMatch = 'equal' | 'confusable' | 'near' | 'different';

/** Characters that OCR mixes up, one class a line; the first stands for all. */
const CONFUSABLE = ['0DOQÐ', '1IL', '2Z', '5S', '6G', '8B', 'PÞ'];

const FOLDED = new Map(
  CONFUSABLE.flatMap((group) => [...group].map((character) => [character, group.charAt(0)] as const)),
);

/** Greek and Cyrillic letters that look like Latin ones: whoever types a plate uses the one, and a camera the other. */
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

/** What cameras write where they saw a vehicle but no plate, in normalised form. */
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

/**
 * The plate as it is stored and compared: NFKC, upper case, letters and digits only, Icelandic letters kept.
 * May be empty.
 */
export function normalisePlate(raw: string): string {
  return (
    raw
      .normalize('NFKC')
      .toUpperCase()
      .replace(/[^\p{L}\p{N}]/gu, '')
      // Letters that a separator held apart may join now (Korean).
      .normalize('NFKC')
  );
}

/** Stands where bytes were no text: of a plate, nobody knows which letter that was. */
const LOST_CHARACTER = '\uFFFD';

/** The normalised plate of a camera's text, or null where it says that it could not read one, or came garbled. */
export function readablePlate(raw: string | null | undefined): string | null {
  if (raw?.includes(LOST_CHARACTER)) return null;
  const plate = normalisePlate(raw ?? '');
  return UNREADABLE.has(plate) ? null : plate;
}

/**
 * The folded key of a normalised plate: accents dropped, Greek and Cyrillic look-alikes of Latin letters replaced by
 * these, and every character that OCR mixes up replaced by the first of its class, so that plates with one key are at least confusable.
 */
export function foldPlate(plate: string): string {
  let key = '';
  for (const character of plate) {
    key += FOLDED.get(character) ?? foldUncommon(character);
  }
  return key;
}

function foldUncommon(character: string): string {
  if (character <= 'Z') return character;
  const bare = character.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
  const latin = LOOK_ALIKES.get(bare) ?? bare;
  return FOLDED.get(latin) ?? latin;
}

/** Compares two normalised plates. */
export function comparePlates(a: string, b: string): PlateMatch {
  if (a === b) return 'equal';
  const keyA = foldPlate(a);
  const keyB = foldPlate(b);
  if (keyA === keyB) return 'confusable';
  return oneEditApart(keyA, keyB) ? 'near' : 'different';
}

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
 * Whether two normalised plates can each be one edit away from the same third plate: two misreadings of one plate
 * often are. Of plates so short that half of them may differ this says nothing.
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
 * Finds a plate in a text that people wrote or read, as a word: a plate may be as short as `12`, and what goes on after a
 * comma or a point is an amount.
 */
export function plateInText(plate: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}.,-])${plate}(?![\\p{L}\\p{N}-]|[.,]\\p{N})`, 'gu');
}

/**
 * The same in what people type, who write `qxz-77` and `QXZ 77` too; a plate that is as short as a price, or has no letters,
 * is found only as it is.
 */
export function typedPlateInText(plate: string): RegExp {
  const isDistinct = plate.length >= 4 && /\p{L}/u.test(plate) && /\d/.test(plate);
  const spelt = isDistinct ? [...plate].join('[ -]?') : plate;
  return new RegExp(plateInText(spelt).source, 'giu');
}

/** A plate among several, with how well it fits. */
export interface PlateCandidate {
  plate: string;
  /** 0 to 1. */
  score: number;
}

/**
 * Finds the one thing that a read's plate can mean: equal before confusable before near, the best candidate before
 * the next, and each only where exactly one fits. `furthest` says how loosely to look.
 *
 * @returns the match; `'ambiguous'` where several fit equally well and a person has to decide; null where none fits
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
