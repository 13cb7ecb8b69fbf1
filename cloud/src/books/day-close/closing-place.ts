import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { daySpan } from '../../platform/day-span.ts';

/** The place and the day that a close is about. */
export interface ClosingPlace {
  /** Null: what belongs to several sites. */
  siteId: string | null;
  timeZone: string;
  /** Null: of several sites. */
  currency: string | null;
  day: string;
}

/** A statement has this many values at most, so that its text does not grow with the day. */
const CHUNK = 500;

/** Reads by ids, some at a time. */
export async function inChunks<Row>(
  ids: readonly string[],
  read: (some: string[]) => Promise<Row[]>,
): Promise<Row[]> {
  const unique = [...new Set(ids)];
  const rows: Row[] = [];
  for (let from = 0; from < unique.length; from += CHUNK) {
    for (const row of await read(unique.slice(from, from + CHUNK))) rows.push(row);
  }
  return rows;
}

/** Rows by a key, each with all of its own. */
export function groupBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string | null): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

export function spanOf({ day, timeZone }: ClosingPlace): { from: UtcTime; before: UtcTime } {
  return daySpan(day, timeZone);
}
