import type Database from 'better-sqlite3';
import type { SiteDb } from './site-db.ts';

/** A row with its columns by name. */
export type Row = Record<string, unknown>;

/** The rows of a table that could be read. */
export interface TableRead {
  rows: number;
  /** Some of it could not be read. */
  damaged: boolean;
}

/** Rowids, both ends included; empty where `from` is above `to`. */
interface Span {
  from: number;
  to: number;
}

/** Ends the search for readable pages in a table that is damaged everywhere. */
const MAX_FAULTS = 4000;
/** No page of the site's tables holds more rows: rowids beyond the readable ones are searched for up to this. */
const MAX_ROWS_OF_PAGE = 200;

/**
 * Reads what can be read of a table, around the pages that cannot. A table with rowids is read in their
 * order, since later events overrule earlier ones. A table without rowids is read from both ends.
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
  const statements = new Map<string, Database.Statement<number[], Row>>();
  /**
   * @param isNew answers false for a row that is read again later
   * @returns whether the end was reached
   */
  const readAll = (sql: string, params: readonly number[], isNew: (row: Row) => boolean): boolean => {
    try {
      const statement = statements.get(sql) ?? db.prepare<number[], Row>(sql);
      statements.set(sql, statement);
      for (const row of statement.iterate(...params)) {
        if (!isNew(row)) continue;
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
    if (!readAll(from('ASC'), [], () => true) && !ended) readAll(from('DESC'), [], () => true);
    return read;
  }

  const select = (order: string) =>
    `SELECT rowid AS rowOfTable, ${names} FROM "${table}" NOT INDEXED
     WHERE rowid BETWEEN ? AND ? AND ${where} ORDER BY rowid ${order}`;
  const last = lastRow(db, table);
  let next = 0;
  const isComplete = readAll(select('ASC'), [0, last], ({ rowOfTable }) => {
    next = Number(rowOfTable) + 1;
    return true;
  });
  if (isComplete || ended) return read;
  // First where the damage lies, by halves, then the rows around it from the first to the last.
  const readable: Span[] = [];
  const unknown: Span[] = [{ from: next, to: last }];
  for (let faults = 0; faults < MAX_FAULTS; faults++) {
    const span = unknown.shift();
    if (!span) break;
    let { from, to } = span;
    const up = readAll(select('ASC'), [from, to], ({ rowOfTable }) => {
      from = Number(rowOfTable) + 1;
      return false;
    });
    if (up) from = to + 1;
    readable.push({ from: span.from, to: from - 1 });
    if (up) continue;
    readAll(select('DESC'), [from, to], ({ rowOfTable }) => {
      to = Number(rowOfTable) - 1;
      return false;
    });
    readable.push({ from: to + 1, to: span.to });
    // The rest begins and ends with a damaged page.
    const middle = Math.floor((from + to) / 2);
    if (to - from > 2) unknown.push({ from, to: middle }, { from: middle + 1, to });
  }
  for (const { from, to } of readable.toSorted((one, other) => one.from - other.from)) {
    if (from <= to && !ended) readAll(select('ASC'), [from, to], () => true);
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
  const query = (sql: string): number | null => {
    try {
      return Number(db.prepare(sql).pluck().get() ?? 0);
    } catch {
      return null;
    }
  };
  const last = query(`SELECT max(rowid) FROM "${table}" NOT INDEXED`);
  if (last !== null) return last;
  const numbered = query(`SELECT seq FROM sqlite_sequence WHERE name = '${table}'`) ?? 0;
  return Math.max(numbered, (query('PRAGMA page_count') ?? 0) * MAX_ROWS_OF_PAGE);
}
