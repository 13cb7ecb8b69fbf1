import { siteTable } from '@hlid/cloud/records/sites/site-table';
import { visitTable } from '@hlid/cloud/records/visits/visit-table';

/** The forms in which the cloud's tables store ids and times (compact-columns.ts), for SQL of the tests. */

/** The id of a site, in every table. */
export function storedSiteId(id: string): string | number {
  return siteTable.id.mapToDriverValue(id) as string | number;
}

/** The id of a visit, an invoice or a payment. */
export function storedId(id: string): Uint8Array {
  return visitTable.id.mapToDriverValue(id) as Uint8Array;
}

/** SQL for such an id as text. */
export function idText(column: string): string {
  const parts = [
    [1, 4],
    [5, 2],
    [7, 2],
    [9, 2],
    [11, 6],
  ].map(([from, bytes]) => `hex(substr(${column}, ${from}, ${bytes}))`);
  return `lower(${parts.join(" || '-' || ")})`;
}

/** SQL for a time as text. */
export function momentText(column: string): string {
  return `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`;
}
