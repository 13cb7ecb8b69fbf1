import { compactId, compactTime } from '@hlid/cloud/db/compact-columns';
import { sqliteTable } from 'drizzle-orm/sqlite-core';

const { id, at } = sqliteTable('compact', { id: compactId('id'), at: compactTime('at') });

/** The value of a column as text where it is stored as bytes or as milliseconds (compact-columns.ts). */
export function readableValue(column: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return id.mapFromDriverValue(value);
  return column === 'at' && typeof value === 'number' ? at.mapFromDriverValue(value) : value;
}

/** The same back again, by the declared type of its column. */
export function storedValue(
  type: string,
  value: string | number | null,
): string | number | Uint8Array | null {
  if (typeof value !== 'string') return value;
  if (type === 'BLOB') return id.mapToDriverValue(value) as string | Uint8Array;
  return type === 'INTEGER' ? (at.mapToDriverValue(value) as number) : value;
}
