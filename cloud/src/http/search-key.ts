import { and, gte, lt, type SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

/** A text as it is kept for searching and sorting, beside the text as it was written. */
export function searchKey(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Texts that begin so, in a column of search keys: an index leads there. */
export function beginsWith(column: SQLiteColumn, beginning: string): SQL | undefined {
  const key = searchKey(beginning);
  return and(gte(column, key), lt(column, `${key}\u{10FFFF}`));
}
