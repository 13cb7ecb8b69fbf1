import { asc, desc, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

type Term = SQLiteColumn | SQL;

/** A list's order: newest first, by a moment and then the id; `rank` (0 or 1) goes before both. */
export interface ListOrder {
  rank?: SQL;
  at: SQLiteColumn;
  id: SQLiteColumn;
}

/** Rows beyond a place, in a direction. Compared as one row value, so that an index in that order leads there. */
export function beyond(
  order: ListOrder,
  go: 'older' | 'newer',
  place: { rank: unknown; at: unknown; id: unknown },
): SQL {
  const sign = sql.raw(go === 'older' ? '<' : '>');
  const { rank, at, id } = order;
  return rank === undefined
    ? sql`(${at}, ${id}) ${sign} (${place.at}, ${place.id})`
    : sql`(${rank}, ${at}, ${id}) ${sign} (${place.rank}, ${place.at}, ${place.id})`;
}

/** Nearest first, going that way. */
export function inDirection({ rank, at, id }: ListOrder, go: 'older' | 'newer'): SQL[] {
  const sort = (term: Term) => (go === 'older' ? desc(term) : asc(term));
  return [...(rank === undefined ? [] : [sort(rank)]), sort(at), sort(id)];
}
