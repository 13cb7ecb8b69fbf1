import type {
  SQLiteColumn,
  SQLiteInsertValue,
  SQLiteTable,
  SQLiteUpdateSetSource,
} from 'drizzle-orm/sqlite-core';
import type { Queries } from './db.ts';
import { runText, type StoredValue } from './run-text.ts';
import { getTableColumns, is, Placeholder, type SQL, sql } from './sql.ts';

/** The way to insert a row with a key that exists already. */
export type OnConflict<Table extends SQLiteTable> =
  | 'leave'
  | { target: SQLiteColumn | SQLiteColumn[]; set: SQLiteUpdateSetSource<Table>; setWhere?: SQL };

/**
 * An insert of whole rows, its text made once. A row bypasses Drizzle, which inspects each value at the cost
 * of the row itself. `Numbered` names a key that the database counts.
 *
 * @example const addRead = preparedInsert(photoTable, 'leave'); await addRead(q, row);
 */
export function preparedInsert<Table extends SQLiteTable, Numbered extends string = never>(
  table: Table,
  onConflict?: OnConflict<Table>,
) {
  let made: Insert | undefined;
  return async (q: Queries, row: Omit<Table['$inferSelect'], Numbered>): Promise<void> => {
    made ??= insertInto(q, table, onConflict);
    const given: Record<string, unknown> = row;
    const values = made.fields.map(({ name, map }) => stored(given[name] ?? null, map));
    await runText(q, made.text, values);
  };
}

interface Insert {
  text: string;
  /** The value of each mark in the text, in order. */
  fields: { name: string; map: Mapping }[];
}

/** Maps a row's value to the stored one; null: it is stored as it is. */
type Mapping = ((value: unknown) => unknown) | null;

function stored(value: unknown, map: Mapping): StoredValue {
  const mapped = value === null || map === null ? value : map(value);
  if (mapped === null || typeof mapped === 'string' || typeof mapped === 'number') return mapped;
  if (mapped instanceof Uint8Array) return mapped;
  throw new TypeError(`a ${typeof mapped} cannot be stored`);
}

function insertInto<Table extends SQLiteTable>(
  q: Queries,
  table: Table,
  onConflict: OnConflict<Table> | undefined,
): Insert {
  const columns: Record<string, SQLiteColumn> = getTableColumns(table);
  const values = Object.fromEntries(
    Object.keys(columns).map((name) => [name, sql`${sql.placeholder(name)}`]),
  ) as SQLiteInsertValue<Table>;
  const inserting = q.insert(table).values(values);
  if (onConflict === 'leave') inserting.onConflictDoNothing();
  else if (onConflict !== undefined) inserting.onConflictDoUpdate(onConflict);
  const { sql: text, params } = inserting.toSQL();
  const fields = params.map((param) => {
    const name = is(param, Placeholder) ? param.name : '';
    const column = columns[name];
    if (column === undefined) throw new TypeError(`${text}: takes values of its own`);
    const isAsItIs = column.dataType === 'string' || column.dataType === 'number';
    return { name, map: isAsItIs ? null : (value: unknown) => column.mapToDriverValue(value) };
  });
  return { text, fields };
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
