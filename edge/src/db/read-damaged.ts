import type Database from 'better-sqlite3';
import type { SiteDb } from './site-db.ts';

/** A row with its columns by name. */
export type Row = Record<string, unknown>;

/** What could be read of a table. */
export interface TableRead {
  rows: number;
  /** Some of it could not be read. */
  damaged: boolean;
}

/** Ends the search for readable pages in a table that is damaged everywhere. */
const MAX_FAULTS = 4000;
/** No page of the site's tables holds more rows: rowids beyond the readable ones are searched for up to this. */
const MAX_ROWS_OF_PAGE = 200;

/**
 * Reads what can be read of a table, around the pages that cannot. A table with rowids is read from both ends, and
 * then in halves between the damaged pages; one without from both ends.
 *
 * @param onRow answers false to end
 */
export function readDamaged(
  db: SiteDb,
  { table, columns, where = '1' }: { table: string; columns: readonly string[]; where?: string },
  onRow: (row: Row) => boolean,
): TableRead {
  const read: TableRead = { rows: 0, damaged: false };
  const names = columns.map((name) => `"${name}"`).join(', ');
  let ended = false;
  /** @returns whether it came to the end */
  const statements = new Map<string, Database.Statement<number[], Row>>();
  const readAll = (sql: string, params: readonly number[], onEach: (row: Row) => void): boolean => {
    try {
      const statement = statements.get(sql) ?? db.prepare<number[], Row>(sql);
      statements.set(sql, statement);
      for (const row of statement.iterate(...params)) {
        onEach(row);
        read.rows++;
        if (!onRow(row)) ended = true;
        if (ended) break;
      }
      return true;
    } catch {
      read.damaged = true;
      return false;
    }
  };

  const keys = keyOf(db, table);
  if (keys === null) return { rows: 0, damaged: true };
  if (keys.length > 0) {
    const from = (order: string) =>
      `SELECT ${names} FROM "${table}" WHERE ${where} ORDER BY ${keys.map((key) => `"${key}" ${order}`).join(', ')}`;
    if (!readAll(from('ASC'), [], () => undefined) && !ended) readAll(from('DESC'), [], () => undefined);
    return read;
  }

  const spans: { from: number; to: number }[] = [{ from: 0, to: lastRow(db, table) }];
  const sql = (order: string) =>
    `SELECT rowid AS rowOfTable, ${names} FROM "${table}" NOT INDEXED
     WHERE rowid BETWEEN ? AND ? AND ${where} ORDER BY rowid ${order}`;
  for (let faults = 0; faults < MAX_FAULTS && !ended; faults++) {
    const span = spans.shift();
    if (!span) break;
    let { from, to } = span;
    const up = readAll(sql('ASC'), [from, to], ({ rowOfTable }) => {
      from = Number(rowOfTable) + 1;
    });
    if (up || ended) continue;
    const down = readAll(sql('DESC'), [from, to], ({ rowOfTable }) => {
      to = Number(rowOfTable) - 1;
    });
    // What is left begins and ends with a damaged page.
    const middle = Math.floor((from + to) / 2);
    if (!down && to - from > 2) spans.push({ from, to: middle }, { from: middle + 1, to });
  }
  return read;
}

/** The columns of the key of a table without rowids; none where it has rowids; null: there is no such table. */
function keyOf(db: SiteDb, table: string): string[] | null {
  try {
    const [listed] = db.pragma(`table_list("${table}")`) as { wr: number }[];
    if (!listed) return null;
    if (listed.wr === 0) return [];
    const columns = db.pragma(`table_info("${table}")`) as { name: string; pk: number }[];
    return columns
      .filter(({ pk }) => pk > 0)
      .toSorted((one, other) => one.pk - other.pk)
      .map(({ name }) => name);
  } catch {
    return null;
  }
}

/** The last rowid, or a number that is not below it as far as can be known. */
function lastRow(db: SiteDb, table: string): number {
  const ask = (sql: string): number | null => {
    try {
      return Number(db.prepare(sql).pluck().get() ?? 0);
    } catch {
      return null;
    }
  };
  const last = ask(`SELECT max(rowid) FROM "${table}" NOT INDEXED`);
  if (last !== null) return last;
  const numbered = ask(`SELECT seq FROM sqlite_sequence WHERE name = '${table}'`) ?? 0;
  return Math.max(numbered, (ask('PRAGMA page_count') ?? 0) * MAX_ROWS_OF_PAGE);
}
