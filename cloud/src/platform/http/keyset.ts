import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { asc, Column, desc, eq, is, type SQL, sql } from '../db/sql.ts';

type Term = SQLiteColumn | SQL;

/** A list's order: newest first, by a moment and then the id; `rank` (0 or 1) goes before both. */
export interface ListOrder {
  rank?: SQL;
  at: Term;
  /** Among equal ones in `at`, before the id. Its value is read from the row of the place. */
  second?: SQLiteColumn;
  id: SQLiteColumn;
  /**
   * Rows of one moment are in the order in which they arrived (the rowid) instead of the order of their ids.
   * Every index has the rowid anyway, and so needs no id. It is for tables that grow with every car and
   * seldom lose rows.
   */
  byRow?: true;
  /** The order is from the first to the last: what is on the next page is greater. Absent: newest first. */
  upwards?: boolean;
}

/** Whether the next row that way is smaller. */
function goesDown({ upwards = false }: ListOrder, go: 'older' | 'newer'): boolean {
  return (go === 'older') !== upwards;
}

/** Rows beyond a place, in a direction. Compared as one row value, so that an index in that order leads there. */
export function beyond(
  order: ListOrder,
  go: 'older' | 'newer',
  place: { rank: unknown; at: unknown; id: unknown },
): SQL {
  const isDown = goesDown(order, go);
  const sign = sql.raw(isDown ? '<' : '>');
  const { rank, at, second, id, byRow } = order;
  const ofPlace = (term: Term, absent: SQL) =>
    sql`coalesce((SELECT ${term} FROM ${id.table} WHERE ${eq(id, place.id)}), ${absent})`;
  // The row of the place may be deleted: the rest of its moment is skipped then.
  const beyondAll = sql.raw(isDown ? '0' : '9e18');
  const last = byRow ? ofPlace(sql`rowid`, beyondAll) : sql.param(place.id, id);
  const terms = [at, ...(second === undefined ? [] : [second]), tieOf(order)];
  const values = [
    is(at, Column) ? sql.param(place.at, at) : sql.param(place.at),
    ...(second === undefined ? [] : [ofPlace(second, beyondAll)]),
    last,
  ];
  if (rank !== undefined) {
    terms.unshift(rank);
    values.unshift(sql.param(place.rank));
  }
  return sql`(${sql.join(terms, sql`, `)}) ${sign} (${sql.join(values, sql`, `)})`;
}

/** Nearest first, going that way. */
export function inDirection(order: ListOrder, go: 'older' | 'newer'): SQL[] {
  const { rank, at, second } = order;
  const isDown = goesDown(order, go);
  const sort = (term: Term) => (isDown ? desc(term) : asc(term));
  return [
    ...(rank === undefined ? [] : [sort(rank)]),
    sort(at),
    ...(second === undefined ? [] : [sort(second)]),
    sort(tieOf(order)),
  ];
}

function tieOf({ id, byRow }: ListOrder): Term {
  return byRow ? rowOf(id) : id;
}

/** The number of a row; only its order counts. */
export function rowOf(id: SQLiteColumn): SQL<number> {
  return sql<number>`${id.table}.rowid`;
}
