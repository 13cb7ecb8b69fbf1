import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Queries } from '../db/db.ts';
import { and, count, eq, inList, type Placeholder, type SQL, sql, unindexed } from '../db/sql.ts';
import { beyond, inDirection, type ListOrder } from './keyset.ts';
import { COUNTED_UP_TO, type Cursor } from './list-envelope.ts';

/** The page that a list asks of its table: rows beyond a place, nearest first, up to a limit. */
export interface PageOfRows {
  cursor: Cursor | undefined;
  limit: number;
}

/** Rows of these sites (null: of every site), without the index of the site: other conditions lead to fewer. */
export function ofSites(column: SQLiteColumn, siteIds: readonly string[] | null): SQL | undefined {
  return siteIds === null ? undefined : inList(unindexed(column), JSON.stringify(siteIds));
}

/** Rows of this site, in the same way. */
export function ofSite(column: SQLiteColumn, siteId: string | Placeholder): SQL {
  return eq(unindexed(column), siteId);
}

/** Whole rows of one table that meet a condition, in order, beyond a place. */
export async function listRows<Table extends SQLiteTable>(
  q: Queries,
  table: Table,
  order: ListOrder,
  where: SQL | undefined,
  { cursor, limit }: PageOfRows,
): Promise<Table['$inferSelect'][]> {
  const go = cursor?.go ?? 'older';
  return await q
    .select()
    .from<SQLiteTable>(table)
    .where(and(where, cursor && beyond(order, go, cursor)))
    .orderBy(...inDirection(order, go))
    .limit(limit);
}

/** A part of a list: rows beyond a place in it, or from its first or last row on, nearest first. */
export interface PartOfList extends PageOfRows {
  part: number;
  go: Cursor['go'];
}

/**
 * Rows of a list that has parts in a fixed order, such as rows with a value and after them those without. The rank of a place is
 * its part.
 */
export async function readParts<Row>(
  parts: number,
  { cursor, limit }: PageOfRows,
  read: (part: PartOfList) => Promise<Row[]>,
): Promise<Row[]> {
  const go = cursor?.go ?? 'older';
  const rows: Row[] = [];
  const first = cursor?.rank ?? 0;
  for (let part = first; part >= 0 && part < parts && rows.length < limit; part += go === 'older' ? 1 : -1) {
    const beyond = part === first ? cursor : undefined;
    rows.push(...(await read({ part, go, cursor: beyond, limit: limit - rows.length })));
  }
  return rows;
}

/** The number of rows that meet a condition, up to one more than a list counts. */
export async function countRows(
  q: Queries,
  table: SQLiteTable,
  where: SQL | undefined,
  upTo: number = COUNTED_UP_TO + 1,
): Promise<number> {
  const some = q
    .select({ one: sql`1`.as('one') })
    .from(table)
    .where(where)
    .limit(upTo)
    .as('some');
  const [row] = await q.select({ n: count() }).from(some);
  return row?.n ?? 0;
}
