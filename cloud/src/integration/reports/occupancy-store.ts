import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { and, asc, eq, gt, gte, lt, lte, sql, unindexed } from '../../platform/db/sql.ts';
import { ofSite } from '../../platform/http/list-rows.ts';
import { trafficTable as t } from '../../records/totals/traffic-table.ts';
import { visitTable as v } from '../../records/visits/visit-table.ts';
import { zoneCorrectionTable as z, zoneTable } from '../../records/zones/zone-table.ts';

const value = sql.placeholder;

/** How many cars a lane had more at one time than at another; an empty lane: not known. */
export interface LaneGrowth {
  laneId: string;
  cars: number;
}

const grownBefore = prepared((q) =>
  q
    .select({
      laneId: t.laneId,
      cars: sql`sum(${t.arrivals} - ${t.departures})`.mapWith(Number),
    })
    .from(t)
    .where(and(eq(t.siteId, value('siteId')), lt(t.quarter, value('before'))))
    .groupBy(t.laneId)
    .prepare(),
);

/** Cars inside a site by the lane that they came in by, at the beginning of a quarter of an hour. */
export async function insideAtQuarter(q: Queries, siteId: string, before: number): Promise<LaneGrowth[]> {
  return await grownBefore(q).all({ siteId, before });
}

const laneOfEntry = sql`coalesce(${v.entryLaneId}, '')`.mapWith(String);
const isNotVoid = sql`${v.paymentStatus} IS NOT 'void'`;

const cameWithin = prepared((q) =>
  q
    .select({ laneId: laneOfEntry, cars: sql`count(*)`.mapWith(Number) })
    .from(v)
    .where(
      and(
        eq(v.siteId, value('siteId')),
        gte(v.startedAt, value('from')),
        lte(v.startedAt, value('at')),
        isNotVoid,
      ),
    )
    .groupBy(sql`1`)
    .prepare(),
);

const leftWithin = prepared((q) =>
  q
    .select({ laneId: laneOfEntry, cars: sql`-count(*)`.mapWith(Number) })
    .from(v)
    .where(
      and(
        gte(v.endedAt, value('from')),
        lte(v.endedAt, value('at')),
        sql`${v.endedAt} IS NOT NULL`,
        ofSite(v.siteId, value('siteId')),
        isNotVoid,
      ),
    )
    .groupBy(sql`1`)
    .prepare(),
);

/** The cars that came and left from the beginning of a quarter until a moment within it. */
export async function movedWithin(
  q: Queries,
  siteId: string,
  period: { from: UtcTime; at: UtcTime },
): Promise<LaneGrowth[]> {
  const question = { siteId, ...period };
  return [...(await cameWithin(q).all(question)), ...(await leftWithin(q).all(question))];
}

export type LaneQuarter = Pick<
  typeof t.$inferSelect,
  'quarter' | 'laneId' | 'arrivals' | 'departures' | 'insideMs'
>;

const quartersOf = prepared((q) =>
  q
    .select({
      quarter: t.quarter,
      laneId: t.laneId,
      arrivals: t.arrivals,
      departures: t.departures,
      insideMs: t.insideMs,
    })
    .from(t)
    .where(and(eq(t.siteId, value('siteId')), gte(t.quarter, value('from')), lt(t.quarter, value('before'))))
    .orderBy(asc(t.quarter))
    .prepare(),
);

export async function laneQuarters(
  q: Queries,
  quarters: { siteId: string; from: number; before: number },
): Promise<LaneQuarter[]> {
  return await quartersOf(q).all({ ...quarters });
}

/** The sum of the corrections of the zones of a site after a moment. */
export async function correctedAfter(
  q: Queries,
  siteId: string,
  at: UtcTime,
): Promise<{ zoneId: string; cars: number }[]> {
  return await q
    .select({ zoneId: z.zoneId, cars: sql`sum(${z.inside} - ${z.insideBefore})`.mapWith(Number) })
    .from(z)
    .innerJoin(zoneTable, eq(zoneTable.id, z.zoneId))
    .where(and(eq(zoneTable.siteId, siteId), gt(unindexed<SQLiteColumn>(z.at), at)))
    .groupBy(z.zoneId);
}
