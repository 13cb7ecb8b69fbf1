import { lengthenJson, shortenJson } from '@hlid/cloud/platform/db/short-json';
import { is } from 'drizzle-orm';
import { getTableConfig, type SQLiteColumn, SQLiteCustomColumn } from 'drizzle-orm/sqlite-core';
import { cloudTables } from '../../harness/cloud-tables.ts';

/** The columns that are stored otherwise than they read (compact-columns.ts, short-json.ts), by table and name. */
const COMPACT = new Map<string, SQLiteColumn>(
  [...(await cloudTables()).values()].flatMap((table) => {
    const { name, columns } = getTableConfig(table);
    return columns.flatMap((column) =>
      is(column, SQLiteCustomColumn) ? [[`${name}.${column.name}`, column] as const] : [],
    );
  }),
);

const isJson = (column: SQLiteColumn) => column.getSQLType() === 'text';

/** The value of a column as text where it is stored otherwise. */
export function readableValue(table: string, column: string, value: unknown): unknown {
  const compact = COMPACT.get(`${table}.${column}`);
  if (compact === undefined || value === null) return value;
  return isJson(compact) ? lengthenJson(String(value)) : compact.mapFromDriverValue(value);
}

type Stored = string | number | Uint8Array | null;

/** The same back again: how a column stores its values. */
export function storing(table: string, column: string): (value: string | number | null) => Stored {
  const compact = COMPACT.get(`${table}.${column}`);
  if (compact === undefined) return (value) => value;
  if (isJson(compact)) return (value) => (value === null ? null : shortenJson(String(value)));
  return (value) => (value === null ? null : (compact.mapToDriverValue(value) as Stored));
}
