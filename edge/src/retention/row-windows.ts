import type { SiteDb } from '../db/site-db.ts';

/** Rows of a table after one key up to another. */
export interface RowWindow {
  after: number | string;
  upTo: number | string;
}

/** Rows looked at in one go: a millisecond's work, and a gate may come in between. */
const ROWS_AT_ONCE = 250;

/** Tables that grow with every car, by the key in whose order they lie. */
export const ROW_KEYS = {
  event: 'rowid',
  read: 'rowid',
  passage: 'rowid',
  visit: 'rowid',
  payment: 'rowid',
  settlement: 'id',
} as const;

/**
 * A table from its first row to its last, in windows small enough not to hold anybody up; others get their turn after
 * each. Breaking off loses nothing.
 */
export async function* rowWindows(db: SiteDb, table: keyof typeof ROW_KEYS): AsyncGenerator<RowWindow> {
  const key = ROW_KEYS[table];
  const nextEnd = db
    .prepare<[number | string, number], number | string | null>(
      `SELECT max(${key}) FROM (SELECT ${key} FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT ?)`,
    )
    .pluck();
  let after: number | string = key === 'id' ? '' : 0;
  for (;;) {
    const upTo = nextEnd.get(after, ROWS_AT_ONCE) ?? null;
    if (upTo === null) return;
    yield { after, upTo };
    after = upTo;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
