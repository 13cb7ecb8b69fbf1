import { foldPlate } from '@hlid/protocol/plate';
import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

/** Letters that no decomposition turns into those which people type instead. */
const LETTERS: Readonly<Record<string, string>> = {
  þ: 'th',
  ð: 'd',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  ß: 'ss',
  ı: 'i',
};

/** A text as it is kept for sorting: letters of other alphabets than English stay behind Z, as Icelandic has þ, æ and ö. */
export function sortKey(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** A text as it is kept for searching, beside the text as it was written: `Þórður` is `thordur`. */
export function searchKey(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[þðđæœøłßı]/g, (letter) => LETTERS[letter] ?? letter);
}

/** Texts that have this somewhere in them, in a column of search keys. Each of them is read. */
export function contains(column: SQLiteColumn, part: string): SQL {
  return sql`instr(${column}, ${searchKey(part)}) > 0`;
}

/** Fewer characters of a plate than these find the whole plate only: too many begin with them. */
const MIN_BEGINNING = 2;
/** The same of what stands in the middle of it. */
const MIN_MIDDLE = 3;
const AFTER_ALL = '\u{10FFFF}';

/** Where folded plates that people may mean lie in an index: from `from` to before `before`. */
export interface PlateRange {
  from: string;
  before: string;
  /** Whether what is in the middle of a plate may be meant, too. */
  inMiddle: boolean;
}

/** @param plate normalised: a whole one, or as much of it as has been typed */
export function plateRange(plate: string): PlateRange {
  const from = foldPlate(plate);
  const { length } = from;
  const before = length < MIN_BEGINNING ? `${from}\0` : `${from}${AFTER_ALL}`;
  return { from, before, inMiddle: length >= MIN_MIDDLE };
}

/** Folded plates that begin so. */
export function plateBegins(column: SQLiteColumn | SQL, plate: string): SQL {
  const { from, before } = plateRange(plate);
  return sql`(${column} >= ${from} AND ${column} < ${before})`;
}
