import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { and, asc, eq, gte, lt, sql } from '../../platform/db/sql.ts';
import { trafficTable as t } from '../../records/visits/traffic-table.ts';

export type TrafficTotal = Omit<typeof t.$inferSelect, 'siteId'>;

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
    .where(eq(t.siteId, value('siteId')))
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

const totalsOf = prepared((q) =>
  q
    .select({
      quarter: t.quarter,
      arrivals: t.arrivals,
      departures: t.departures,
      insideMs: t.insideMs,
    })
    .from(t)
    .where(within)
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
