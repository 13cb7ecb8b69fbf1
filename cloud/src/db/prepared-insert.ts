import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type {
  SQLiteColumn,
  SQLiteInsertValue,
  SQLiteTable,
  SQLiteUpdateSetSource,
} from 'drizzle-orm/sqlite-core';
import type { Queries } from './db.ts';
import { prepared } from './prepared.ts';

/** What becomes of a row whose key is there already. */
export type OnConflict<Table extends SQLiteTable> =
  | 'leave'
  | { target: SQLiteColumn | SQLiteColumn[]; set: SQLiteUpdateSetSource<Table>; setWhere?: SQL };

/**
 * An insert of whole rows, prepared once per connection.
 *
 * @example
 * const addRead = preparedInsert(photoTable, 'leave');
 * await addRead(q, row);
 */
export function preparedInsert<Table extends SQLiteTable>(table: Table, onConflict?: OnConflict<Table>) {
  const columns = Object.entries(getTableColumns(table));
  // Drizzle maps a placeholder's null as if it were a value (JSON `null`, false): so the mapping is done here.
  const values = Object.fromEntries(
    columns.map(([name]) => [name, sql`${sql.placeholder(name)}`]),
  ) as SQLiteInsertValue<Table>;
  const insert = prepared((q) => {
    const inserting = q.insert(table).values(values);
    if (onConflict === undefined) return inserting.prepare();
    if (onConflict === 'leave') return inserting.onConflictDoNothing().prepare();
    return inserting.onConflictDoUpdate(onConflict).prepare();
  });
  return async (q: Queries, row: Table['$inferSelect']): Promise<void> => {
    const given: Record<string, unknown> = row;
    const stored: Record<string, unknown> = {};
    for (const [name, column] of columns) {
      const value = given[name] ?? null;
      stored[name] = value === null ? null : column.mapToDriverValue(value);
    }
    await insert(q).run(stored);
  };
}

/** `set` of an upsert that takes the new row's value for these columns. */
export function fromNewRow<Name extends string>(
  columns: Record<Name, SQLiteColumn>,
  ...names: Name[]
): Record<Name, SQL> {
  return Object.fromEntries(names.map((name) => [name, newValue(columns[name])])) as Record<Name, SQL>;
}

/** A column of the row that an upsert brings. */
export function newValue(column: SQLiteColumn): SQL {
  return sql`excluded.${sql.identifier(column.name)}`;
}
