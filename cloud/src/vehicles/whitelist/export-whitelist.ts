import { stringify } from 'csv-stringify/sync';
import type { Db } from '../../platform/db/db.ts';
import { CSV_COLUMNS, csvCells } from './entry-csv.ts';
import type { Asking, EntryFilters } from './entry-filters.ts';
import { listEntries, placeOfEntry } from './whitelist-store.ts';

/** Entries read at once. */
const PIECE = 500;
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Writes entries as a CSV file, newest first, piece by piece: `send` resolves when there is room for the next. Entries
 * that are added meanwhile are not in it. What it writes, `importWhitelist` reads.
 */
export async function exportWhitelist(
  db: Db,
  filters: EntryFilters,
  asking: Asking,
  { bom, separator }: { bom: boolean; separator: ',' | ';' },
  send: (piece: string) => Promise<void>,
): Promise<void> {
  const text = (rows: string[][]) =>
    stringify(rows, {
      delimiter: separator,
      record_delimiter: '\r\n',
      // Cells are quoted that contain another separator, other line ends, or spaces that a reader would
      // remove.
      quoted_match: /[;,\t\r\n]|^\s|\s$/,
    });
  await send(`${bom ? BYTE_ORDER_MARK : ''}${text([[...CSV_COLUMNS]])}`);
  let place: ReturnType<typeof placeOfEntry> | undefined;
  for (;;) {
    const cursor = place && ({ go: 'older', ...place } as const);
    // A read for each piece: a slow reader holds no connection of the database.
    const entries = await db.read((q) => listEntries(q, filters, asking, { cursor, limit: PIECE }));
    const last = entries.at(-1);
    if (last === undefined) return;
    await send(text(entries.map(({ entry }) => csvCells(entry))));
    place = placeOfEntry(last);
  }
}
