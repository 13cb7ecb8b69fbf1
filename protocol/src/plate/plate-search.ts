/**
 * Searching for a plate by the index of folded keys: the keys that one mistake leads to, and where two plates differ.
 */
import { comparePlates, contractSpellings, foldLetters, foldPlate } from './plate.ts';
import { COUNTRY_SIGNS, platesBesideBand } from './plate-band.ts';

/** Every letter that occurs in a folded plate in Latin letters and digits. */
const KEY_LETTERS = [...new Set(foldLetters('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZÆ'))];

/** Shorter plates are near half of all plates of their length. */
const MIN_LENGTH = 3;

/**
 * The number of characters that a driver must have typed to be offered a waiting car with a plate that is
 * only near.
 */
export const MIN_NEAR_TYPED = 4;

/**
 * The folded keys of plates that are *near* a normalised plate (`comparePlates`), as far as they are written
 * in Latin letters and digits or in characters of the plate itself. The plate's own key, which it may share
 * with some of them, is not among them. Of plates of which it is a part only those that have the letters of a
 * country before it: other beginnings cannot be listed.
 */
export function nearKeys(plate: string): string[] {
  const letters = foldLetters(plate);
  const key = contractSpellings(letters);
  if (letters.length < MIN_LENGTH) return [];
  const keys = new Set([letters, key].flatMap((text) => [...oneEditFrom(text), ...partsOf(text)]));
  for (const other of platesBesideBand(plate, null)) keys.add(foldPlate(other));
  for (const sign of COUNTRY_SIGNS) keys.add(contractSpellings(foldLetters(sign) + letters));
  keys.delete(key);
  return [...keys];
}

/** The keys of all texts that are near some folded letters by one edit. */
function oneEditFrom(letters: string): string[] {
  const others = [...new Set([...KEY_LETTERS, ...letters])];
  const found = new Set<string>();
  for (let at = 0; at <= letters.length; at++) {
    const before = letters.slice(0, at);
    if (at < letters.length) found.add(before + letters.slice(at + 1));
    for (const other of others) {
      found.add(before + other + letters.slice(at));
      if (at < letters.length) found.add(before + other + letters.slice(at + 1));
    }
  }
  return [...found].filter((text) => comparePlates(letters, text) === 'near').map(contractSpellings);
}

/** The keys of the beginnings and ends that may be all that was read. */
function partsOf(letters: string): string[] {
  const found: string[] = [];
  for (let length = MIN_LENGTH; length < letters.length; length++) {
    found.push(contractSpellings(letters.slice(0, length)), contractSpellings(letters.slice(-length)));
  }
  return found;
}

/** A place in which a plate differs from what was typed. An empty text: a character too many, or too few. */
export interface PlateDifference {
  /** The place in the found plate, from 0. */
  at: number;
  typed: string;
  found: string;
}

/** The differences between a found plate and the typed one; both normalised, and at most one edit apart. */
export function plateDifferences(typed: string, found: string): PlateDifference[] {
  const [a, b] = [foldPlate(typed), foldPlate(found)];
  let gap = 0;
  while (gap < Math.min(a.length, b.length) && a[gap] === b[gap]) gap++;
  const surplus = Math.sign(b.length - a.length);
  const differences: PlateDifference[] = [];
  if (surplus < 0) differences.push({ at: gap, typed: typed[gap] ?? '', found: '' });
  for (let at = 0; at < found.length; at++) {
    const isSurplus = surplus > 0 && at === gap;
    const place = surplus === 0 || at < gap ? at : at - surplus;
    const pair = { at, typed: isSurplus ? '' : (typed[place] ?? ''), found: found[at] ?? '' };
    if (pair.typed !== pair.found) differences.push(pair);
  }
  return differences.sort((one, other) => one.at - other.at);
}
