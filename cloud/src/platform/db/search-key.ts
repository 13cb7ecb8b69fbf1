import { foldPlate } from '@hlid/protocol/plate/plate';
import { type AnySQLiteColumn, index, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { gte, lt, type Placeholder, type SQL, sql } from './sql.ts';

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
  return sql`instr(${column}, ${sql.param(searchKey(part))}) > 0`;
}

/** Fewer characters of a plate than these find the whole plate only: too many begin with them. */
const MIN_BEGINNING = 2;
/** The same for the middle of a plate. */
const MIN_MIDDLE = 3;
/** The places in a plate, from 1, at which a searched part may begin, after the first. Most plates have no more. */
const MIDDLES = [2, 3, 4, 5];
const AFTER_ALL = '\u{10FFFF}';

/** The folded plates that a part of a plate may mean: those in an index from `from` to before `before`. */
export interface PlateRange<Value = string> {
  from: Value;
  before: Value;
  /** Whether the part may also stand in the middle of a plate. */
  inMiddle: boolean;
}

/** @param plate normalised: a whole one, or as much of it as has been typed */
export function plateRange(plate: string): PlateRange {
  const from = foldPlate(plate);
  const { length } = from;
  const before = length < MIN_BEGINNING ? `${from}\0` : `${from}${AFTER_ALL}`;
  return { from, before, inMiddle: length >= MIN_MIDDLE };
}

/** A folded plate from that place on, as its index has it. */
function plateFrom(column: AnySQLiteColumn, place: number): SQL {
  return sql`substr(${column}, ${sql.raw(String(place))})`;
}

/** The indexes by which `hasPlate` finds the middle of a plate; its beginning needs one on the column itself. */
export function plateMiddleIndexes(table: string, plateFolded: AnySQLiteColumn) {
  return MIDDLES.map((place) => index(`${table}_by_plate_from_${place}`).on(plateFrom(plateFolded, place)));
}

/**
 * Rows with a folded plate that begins with a part or, if the part is long enough, has it in the middle. Each
 * way has a separate index. The condition searches by the rows' ids: keep other columns of the query from
 * their indexes by `+`.
 */
export function hasPlate(
  table: SQLiteTable & Record<'id' | 'plateFolded', SQLiteColumn>,
  { from, before, inMiddle }: PlateRange<string | Placeholder>,
): SQL {
  const { id, plateFolded } = table;
  const keys = [
    sql`${plateFolded}`,
    ...(inMiddle ? MIDDLES.map((place) => plateFrom(plateFolded, place)) : []),
  ];
  const ways = keys.map(
    (key) =>
      sql`SELECT ${id} FROM ${table} WHERE ${gte(key, sql.param(from))} AND ${lt(key, sql.param(before))}`,
  );
  return sql`${id} IN (${sql.join(ways, sql` UNION ALL `)})`;
}
