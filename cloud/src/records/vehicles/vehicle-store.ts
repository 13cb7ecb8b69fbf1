import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { preparedInsert } from '../../platform/db/prepared-insert.ts';
import { hasPlate, plateRange } from '../../platform/db/search-key.ts';
import { and, eq, gt, isNotNull, isNull, lt, lte, or, type SQL, sql } from '../../platform/db/sql.ts';
import type { OwnRows } from '../../platform/http/caller.ts';
import { beyond, inDirection, type ListOrder } from '../../platform/http/keyset.ts';
import type { Place } from '../../platform/http/list-envelope.ts';
import { countRows, type PageOfRows, type PartOfList, readParts } from '../../platform/http/list-rows.ts';
import { siteTable } from '../sites/site-table.ts';
import { visitTable } from '../visits/visit-table.ts';
import { vehicleAbsenceTable as absence, vehicleTable as t, type VehicleRow } from './vehicle-table.ts';
import { vehiclesInCustody } from './vehicles-in-custody.ts';

export interface VehicleFilters {
  overridden?: boolean | undefined;
  collection?: 'latest' | 'custody' | 'heavy' | undefined;
  /** Normalised; equal plates first, then confusable ones. */
  plate?: string | undefined;
}

/** A vehicle in a list. `rank`: 1 where its plate equals the one asked for, else 0. */
export interface ListedVehicle {
  vehicle: VehicleRow;
  rank: number;
}

const insert = preparedInsert(t);

export async function insertVehicle(q: Queries, row: VehicleRow): Promise<void> {
  await insert(q, row);
}

export async function updateVehicleRow(q: Queries, row: VehicleRow): Promise<void> {
  await q.update(t).set(row).where(eq(t.id, row.id));
}

/** Newest first; by plate from A to Z, and the other way round, with those that have none now at the end. */
export const VEHICLE_ORDERS = ['newest', 'plate', '-plate'] as const;
export type VehicleOrder = (typeof VEHICLE_ORDERS)[number];

interface Part {
  where?: SQL;
  order: ListOrder;
}

const byCreation = (upwards: boolean): ListOrder => ({ at: t.createdAt, id: t.id, upwards });

function byPlate(upwards: boolean): Part[] {
  return [
    { where: isNotNull(t.plate), order: { at: t.plate, id: t.id, byRow: true, upwards } },
    { where: isNull(t.plate), order: byCreation(upwards) },
  ];
}

const ORDERS: Record<VehicleOrder, readonly Part[]> = {
  newest: [{ order: byCreation(false) }],
  plate: byPlate(true),
  '-plate': byPlate(false),
};

/** The place of a vehicle in that order. */
export function placeOfVehicle(order: VehicleOrder): (listed: ListedVehicle) => Place {
  return ({ vehicle: { id, plate, createdAt }, rank }) => {
    if (order === 'newest') return { rank, at: createdAt, id };
    return plate === null ? { rank: 1, at: createdAt, id } : { rank: 0, at: plate, id };
  };
}

/** Vehicles in order, beyond a place. */
export async function listVehicles(
  q: Queries,
  filters: VehicleFilters,
  asking: { own: OwnRows; now: UtcTime },
  { order: by = 'newest', ...page }: PageOfRows & { order?: VehicleOrder | undefined },
): Promise<ListedVehicle[]> {
  const { plate } = filters;
  const rank = plate === undefined ? sql<number>`0` : sql<number>`(${t.plate} = ${plate})`;
  // Equal plates come first if no other order is requested.
  const isRanked = plate !== undefined && by === 'newest';
  const parts = ORDERS[by].map(({ where, order }) => ({
    where,
    order: isRanked ? { ...order, rank } : order,
  }));
  const readPart = async ({ part, go, cursor, limit }: PartOfList): Promise<ListedVehicle[]> => {
    const { where, order } = parts[part] ?? { where: sql`0`, order: byCreation(false) };
    return await q
      .select({ vehicle: t, rank: rank.mapWith(Number) })
      .from(t)
      .where(and(...conditions(filters, asking), where, cursor && beyond(order, go, cursor)))
      .orderBy(...inDirection(order, go))
      .limit(limit);
  };
  if (parts.length === 1) return await readPart({ ...page, part: 0, go: page.cursor?.go ?? 'older' });
  return await readParts(parts.length, page, readPart);
}

/** How many there are, up to one more than are counted. */
export async function countVehicles(
  q: Queries,
  filters: VehicleFilters,
  asking: { own: OwnRows; now: UtcTime },
): Promise<number> {
  return await countRows(q, t, and(...conditions(filters, asking)));
}

function conditions(
  { overridden, collection, plate }: VehicleFilters,
  { own, now }: { own: OwnRows; now: UtcTime },
): (SQL | undefined)[] {
  return [
    own.all ? undefined : sql`${t.id} IN (${vehiclesInCustody(now, own.customerId)})`,
    // The conditions match those of the partial indexes: with a parameter SQLite would not use them.
    overridden === undefined
      ? undefined
      : sql`${t.overrides} IS ${sql.raw(overridden ? 'NOT NULL' : 'NULL')}`,
    collection === 'heavy' ? sql`${t.category} = 'heavy'` : undefined,
    collection === 'custody' ? sql`${t.id} IN (${vehiclesInCustody(now)})` : undefined,
    plate === undefined ? undefined : hasPlate(t, plateRange(plate)),
  ];
}

/**
 * Plates of visits in hand for which the register has not been asked, or not lately.
 * @param when `since`: visits that began before then are of cars that were lost sight of
 */
export async function platesToLookUp(
  q: Queries,
  when: { now: UtcTime; since: UtcTime; staleAt: UtcTime },
  limit: number,
): Promise<string[]> {
  const { now, since, staleAt } = when;
  const rows = await q
    .select({ plate: visitTable.plate })
    .from(visitTable)
    .leftJoin(t, eq(t.plate, visitTable.plate))
    .leftJoin(absence, and(eq(absence.key, visitTable.plate), gt(absence.until, now)))
    .where(
      and(
        // The condition by site makes the small index of open visits serve, and not the one of all plates.
        sql`${visitTable.siteId} IN (SELECT ${siteTable.id} FROM ${siteTable})`,
        isNull(visitTable.endedAt),
        gt(visitTable.startedAt, since),
        sql`+${visitTable.plate} IS NOT NULL`,
        or(isNull(t.syncedAt), lt(t.syncedAt, staleAt)),
        isNull(absence.key),
      ),
    )
    .limit(limit);
  return [...new Set(rows.flatMap(({ plate }) => (plate === null ? [] : [plate])))];
}

/** Fixed ids of vehicles in custody that have lost their plate to another. */
export async function permnosToLookUp(q: Queries, now: UtcTime, limit: number): Promise<string[]> {
  const rows = await q
    .select({ permno: t.permno })
    .from(t)
    .leftJoin(absence, and(eq(absence.key, sql`'id ' || ${t.permno}`), gt(absence.until, now)))
    .where(
      and(
        sql`${t.plate} IS NULL`,
        sql`${t.permno} IS NOT NULL`,
        sql`${t.id} IN (${vehiclesInCustody(now)})`,
        isNull(absence.key),
      ),
    )
    .limit(limit);
  return rows.flatMap(({ permno }) => (permno === null ? [] : [permno]));
}

/** Whether the register has answered lately that it has no such vehicle. */
export async function isAbsent(q: Queries, key: string, now: UtcTime): Promise<boolean> {
  const found = await q
    .select({ key: absence.key })
    .from(absence)
    .where(and(eq(absence.key, key), gt(absence.until, now)))
    .get();
  return found !== undefined;
}

/** Notes that it has none, and forgets what was noted too long ago. */
export async function noteAbsence(
  q: Queries,
  key: string,
  { now, until }: { now: UtcTime; until: UtcTime },
): Promise<void> {
  await q.delete(absence).where(lte(absence.until, now));
  await q.insert(absence).values({ key, until }).onConflictDoUpdate({ target: absence.key, set: { until } });
}

export async function forgetAbsence(q: Queries, key: string): Promise<void> {
  await q.delete(absence).where(eq(absence.key, key));
}
