import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { and, asc, eq, gt, gte, lt, sql } from '../../platform/db/sql.ts';
import { trafficTable as t } from '../../records/totals/traffic-table.ts';

export type TrafficTotal = Pick<typeof t.$inferSelect, 'quarter' | 'arrivals' | 'departures' | 'insideMs'>;

const value = sql.placeholder;

const within = and(
  eq(t.siteId, value('siteId')),
  gte(t.quarter, value('from')),
  lt(t.quarter, value('before')),
);

const firstOf = prepared((q) =>
  q
    .select({ quarter: t.quarter })
    .from(t)
    .where(and(eq(t.siteId, value('siteId')), gt(t.arrivals, 0)))
    .orderBy(asc(t.quarter))
    .limit(1)
    .prepare(),
);

/** The quarter of the first car of a site; null: none has come. */
export async function firstQuarter(q: Queries, siteId: string): Promise<number | null> {
  return (await firstOf(q).get({ siteId }))?.quarter ?? null;
}

/** Quarters from `from` until before `before`. */
interface Quarters {
  siteId: string;
  from: number;
  before: number;
}

const sumOf = (column: SQLiteColumn) => sql`sum(${column})`.mapWith(Number);

const totalsOf = prepared((q) =>
  q
    .select({
      quarter: t.quarter,
      arrivals: sumOf(t.arrivals),
      departures: sumOf(t.departures),
      insideMs: sumOf(t.insideMs),
    })
    .from(t)
    .where(within)
    .groupBy(t.quarter)
    .orderBy(asc(t.quarter))
    .prepare(),
);

/** The totals of quarters in order; a quarter without a car has none. */
export async function trafficTotals(q: Queries, quarters: Quarters): Promise<TrafficTotal[]> {
  return await totalsOf(q).all({ ...quarters });
}

const growthOf = prepared((q) =>
  q
    .select({ cars: sql`coalesce(sum(${t.arrivals} - ${t.departures}), 0)`.mapWith(Number) })
    .from(t)
    .where(within)
    .prepare(),
);

/** The number of cars by which a site got fuller. */
export async function trafficGrowth(q: Queries, quarters: Quarters): Promise<number> {
  return (await growthOf(q).get({ ...quarters }))?.cars ?? 0;
}
