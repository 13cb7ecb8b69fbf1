import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Queries } from '../../platform/db/db.ts';
import { and, asc, between, gte, inArray, lt, sql } from '../../platform/db/sql.ts';
import { siteDayTable as d } from '../../records/totals/traffic-table.ts';
import type { DaySpan } from './overview-spans.ts';

type DayCounters = Omit<typeof d.$inferSelect, 'siteId'>;

/** A day of some sites together. */
export interface DayTotal extends DayCounters {
  /** How long their devices were down. */
  downMs: number;
}

const sum = (column: SQLiteColumn) => sql`sum(${column})`.mapWith(Number);

/** The totals of some sites together, of the days that have any. */
export async function dayTotals(
  q: Queries,
  siteIds: readonly string[],
  { from, to }: DaySpan,
): Promise<DayCounters[]> {
  return await q
    .select({
      day: d.day,
      arrivals: sum(d.arrivals),
      departures: sum(d.departures),
      insideMs: sum(d.insideMs),
      stayMinutes: sum(d.stayMinutes),
      permitStays: sum(d.permitStays),
      automatic: sum(d.automatic),
      exits: sum(d.exits),
      doubtfulExits: sum(d.doubtfulExits),
      deviceFaults: sum(d.deviceFaults),
    })
    .from(d)
    .where(and(inArray(d.siteId, [...siteIds]), between(d.day, from, to)))
    .groupBy(d.day)
    .orderBy(asc(d.day));
}

/** The number of cars by which some sites got fuller from a day until before another. */
export async function growthOfDays(
  q: Queries,
  siteIds: readonly string[],
  { from, before }: { from: string; before: string },
): Promise<number> {
  const [row] = await q
    .select({ cars: sql`coalesce(sum(${d.arrivals} - ${d.departures}), 0)`.mapWith(Number) })
    .from(d)
    .where(and(inArray(d.siteId, [...siteIds]), gte(d.day, from), lt(d.day, before)));
  return row?.cars ?? 0;
}
