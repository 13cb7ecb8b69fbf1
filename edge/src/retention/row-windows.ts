import type { SiteDb } from '../db/site-db.ts';

/** Rows of a table after one rowid up to another. */
export interface RowWindow {
  after: number;
  upTo: number;
}

/** Rows of one step: a millisecond's work, and gates may act in between. A pack has 200 events. */
const ROWS_PER_STEP = 250;
const PACKS_PER_STEP = 1;

/** Tables that grow with every car. */
type GrowingTable =
  | 'event'
  | 'event_pack'
  | 'read'
  | 'passage'
  | 'standing_plate'
  | 'visit'
  | 'payment'
  | 'settlement';

/**
 * A table from its first row to its last, in windows small enough not to delay other work, which runs after
 * each. Stopping in between loses nothing.
 */
export async function* rowWindows(db: SiteDb, table: GrowingTable): AsyncGenerator<RowWindow> {
  const nextEnd = db
    .prepare<[number, number], number | null>(
      `SELECT max(row) FROM (SELECT rowid AS row FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ?)`,
    )
    .pluck();
  let after = 0;
  for (;;) {
    const upTo = nextEnd.get(after, table === 'event_pack' ? PACKS_PER_STEP : ROWS_PER_STEP) ?? null;
    if (upTo === null) return;
    yield { after, upTo };
    after = upTo;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
