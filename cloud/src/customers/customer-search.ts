import { and, gte, lt, type SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

/** A text as it is kept for searching. */
export function searchKey(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Kept texts that begin so. */
export function beginsWith(column: SQLiteColumn, beginning: string): SQL | undefined {
  const key = searchKey(beginning);
  return and(gte(column, key), lt(column, `${key}\u{10FFFF}`));
}
