import type { SiteDb } from '../db/site-db.ts';

/** Rows of a table after one key up to another. */
export interface RowWindow {
  after: number | string;
  upTo: number | string;
}

/** Rows of one step: a millisecond's work, and gates may act in between. A pack has 200 events. */
const ROWS_PER_STEP = 250;
const PACKS_PER_STEP = 1;

/** Tables that grow with every car, with the key that orders them. */
export const ROW_KEYS = {
  event: 'rowid',
  event_pack: 'rowid',
  read: 'rowid',
  passage: 'rowid',
  standing_plate: 'rowid',
  visit: 'rowid',
  payment: 'rowid',
  settlement: 'id',
} as const;

/**
 * A table from its first row to its last, in windows small enough not to delay other work, which runs after
 * each. Stopping in between loses nothing.
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
    const upTo = nextEnd.get(after, table === 'event_pack' ? PACKS_PER_STEP : ROWS_PER_STEP) ?? null;
    if (upTo === null) return;
    yield { after, upTo };
    after = upTo;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
