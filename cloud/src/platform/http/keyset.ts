import { asc, desc, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { asStored } from '../db/compact-columns.ts';

type Term = SQLiteColumn | SQL;

/** A list's order: newest first, by a moment and then the id; `rank` (0 or 1) goes before both. */
export interface ListOrder {
  rank?: SQL;
  at: SQLiteColumn;
  id: SQLiteColumn;
  /**
   * Rows of one moment are in the order in which they arrived (the rowid) instead of the order of their ids. Every index
   * has the rowid anyway, and so needs no id. For tables that grow with every car and whose rows are seldom deleted.
   */
  byRow?: true;
  /** From the first to the last: what is on the next page is greater. Absent: newest first. */
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
  const { rank, at, id, byRow } = order;
  // The row of the place may be deleted: the rest of its moment is skipped then.
  const last = byRow
    ? sql`coalesce((SELECT rowid FROM ${id.table} WHERE ${id} = ${asStored(id, place.id)}), ${sql.raw(isDown ? '0' : '9e18')})`
    : asStored(id, place.id);
  const moment = asStored(at, place.at);
  return rank === undefined
    ? sql`(${at}, ${tieOf(order)}) ${sign} (${moment}, ${last})`
    : sql`(${rank}, ${at}, ${tieOf(order)}) ${sign} (${place.rank}, ${moment}, ${last})`;
}

/** Nearest first, going that way. */
export function inDirection(order: ListOrder, go: 'older' | 'newer'): SQL[] {
  const { rank, at } = order;
  const isDown = goesDown(order, go);
  const sort = (term: Term) => (isDown ? desc(term) : asc(term));
  return [...(rank === undefined ? [] : [sort(rank)]), sort(at), sort(tieOf(order))];
}

function tieOf({ id, byRow }: ListOrder): Term {
  return byRow ? rowOf(id) : id;
}

/** The number of a row; only its order counts. */
export function rowOf(id: SQLiteColumn): SQL<number> {
  return sql<number>`${id.table}.rowid`;
}
