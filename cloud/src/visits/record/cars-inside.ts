import { and, count, eq, isNull, sql } from 'drizzle-orm';
import type { Queries } from '../../db/db.ts';
import { prepared } from '../../db/prepared.ts';
import { visitTable as t } from './visit-table.ts';

/** Vehicles that came in by a lane; null: nobody knows which. */
export interface CarsOfLane {
  laneId: string | null;
  cars: number;
}

const openByLane = prepared((q) =>
  q
    .select({ laneId: t.entryLaneId, cars: count() })
    .from(t)
    .where(and(eq(t.siteId, sql.placeholder('siteId')), isNull(t.endedAt)))
    .groupBy(t.entryLaneId)
    .prepare(),
);

/** Vehicles inside a site now, by the lane that they came in by: as many rows are read as there are vehicles. */
export async function carsInside(q: Queries, siteId: string): Promise<CarsOfLane[]> {
  return await openByLane(q).all({ siteId });
}
