import { customType } from 'drizzle-orm/sqlite-core';

/**
 * Columns of tables that have many rows for each visit, and that no SQL looks into: 16 bytes instead of 36 and 6 instead of
 * 24. Conditions have to name the column (`eq(table.siteId, id)`), since Drizzle converts the value for it; a value in raw
 * SQL (`sql`…``) is not converted.
 */

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** A UUID as 16 bytes. Other texts are stored as they are. */
export const compactId = customType<{ data: string; driverData: string | Uint8Array }>({
  dataType: () => 'blob',
  toDriver: (id) => (UUID.test(id) ? Buffer.from(id.replaceAll('-', ''), 'hex') : id),
  fromDriver(stored) {
    if (typeof stored === 'string') return stored;
    const hex = Buffer.from(stored).toString('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  },
});

/** A UTC time as milliseconds. */
export const compactTime = customType<{ data: string; driverData: number }>({
  dataType: () => 'integer',
  toDriver: (time) => Date.parse(time),
  fromDriver: (ms) => new Date(ms).toISOString(),
});
