/**
 * Searching for a plate by the index of folded keys: the keys that one mistake leads to, and where two plates differ.
 */
import { comparePlates, foldPlate } from './plate.ts';

/** Every character that occurs in the folded key of a plate in Latin letters and digits. */
const KEY_CHARACTERS = [...new Set([...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZÆ'].map(foldPlate))];

/** Shorter plates are near half of all plates of their length. */
const MIN_LENGTH = 3;

/**
 * The folded keys of plates that are *near* a normalised plate (`comparePlates`), as far as they are written in Latin
 * letters and digits or in characters of the plate itself. The plate's own key is not among them.
 */
export function nearKeys(plate: string): string[] {
  const key = foldPlate(plate);
  if (key.length < MIN_LENGTH) return [];
  const characters = [...new Set([...KEY_CHARACTERS, ...key])];
  const found = new Set<string>();
  for (let at = 0; at <= key.length; at++) {
    const before = key.slice(0, at);
    if (at < key.length) found.add(before + key.slice(at + 1));
    for (const character of characters) {
      found.add(before + character + key.slice(at));
      if (at < key.length) found.add(before + character + key.slice(at + 1));
    }
  }
  return [...found].filter((other) => comparePlates(key, other) === 'near');
}

/** A place in which a plate differs from what was typed. An empty text: a character too many, or too few. */
export interface PlateDifference {
  /** The place in the found plate, from 0. */
  at: number;
  typed: string;
  found: string;
}

/** Where a found plate differs from what was typed; both normalised, and at most one edit apart. */
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
