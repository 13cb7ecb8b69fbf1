import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { CarsOfLane } from '@hlid/protocol/site-link/occupancy';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import {
  and,
  asc,
  count,
  eq,
  gt,
  gte,
  inArray,
  isNull,
  lte,
  ne,
  notInArray,
  or,
  sql,
} from '../../platform/db/sql.ts';
import { type OwnRows, seesSite } from '../../platform/http/caller.ts';
import { ofSite } from '../../platform/http/list-rows.ts';
import { visitTable as t, type VisitRow, type VisitStepRow, visitStepTable } from './visit-table.ts';

const value = sql.placeholder;

const visitRowById = prepared((q) =>
  q
    .select()
    .from(t)
    .where(eq(t.id, value('id')))
    .prepare(),
);

/** A visit that the caller may see, as it is stored. */
export async function findVisitRow(q: Queries, id: string, own: OwnRows): Promise<VisitRow | null> {
  const row = await visitRowById(q).get({ id });
  return row && isOwn(row, own) ? row : null;
}

/** Whether the caller may see a visit. */
export function isOwn(
  { customerId, siteId }: Pick<VisitRow, 'customerId' | 'siteId'>,
  own: OwnRows,
): boolean {
  return own.all ? seesSite(own, siteId) : customerId !== null && customerId === own.customerId;
}

const stepsOf = prepared((q) =>
  q
    .select()
    .from(visitStepTable)
    .where(eq(visitStepTable.visitId, value('visitId')))
    .orderBy(asc(visitStepTable.at), asc(sql`rowid`))
    .prepare(),
);

export async function visitSteps(q: Queries, visitId: string): Promise<VisitStepRow[]> {
  return await stepsOf(q).all({ visitId });
}

// Behind a plus the site is compared without its index: all cars that are inside are more than the visits of a plate.
const openOfPlate = prepared((q) =>
  q
    .select({ id: t.id })
    .from(t)
    .where(and(eq(t.plate, value('plate')), ofSite(t.siteId, value('siteId')), isNull(t.endedAt)))
    .limit(1)
    .prepare(),
);

/** The visit of exactly this plate that is inside at a site. */
export async function openVisitOfPlate(
  q: Queries,
  siteId: string,
  plate: string,
): Promise<{ id: string } | null> {
  return (await openOfPlate(q).get({ siteId, plate })) ?? null;
}

/** Another visit of one of these plates at a site that began within that time and was not voided. */
export async function visitBetween(
  q: Queries,
  siteId: string,
  { plates, after, before, but }: { plates: string[]; after: string; before: string; but: string[] },
): Promise<{ id: string } | null> {
  const [found] = await q
    .select({ id: t.id })
    .from(t)
    .where(
      and(
        inArray(t.plate, plates),
        gte(t.startedAt, after),
        lte(t.startedAt, before),
        eq(t.siteId, siteId),
        notInArray(t.id, but),
        sql`${t.paymentStatus} IS NOT 'void'`,
      ),
    )
    .limit(1);
  return found ?? null;
}

/** Another visit of a plate at a site that began before a moment, was not voided, and was not over at another. */
export async function visitDuring(
  q: Queries,
  siteId: string,
  { plate, after, before, but }: { plate: string; after: string; before: string; but: string },
): Promise<{ id: string } | null> {
  const [found] = await q
    .select({ id: t.id })
    .from(t)
    .where(
      and(
        eq(t.plate, plate),
        lte(t.startedAt, before),
        // The plate leads.
        ofSite(t.siteId, siteId),
        ne(t.id, but),
        or(isNull(t.endedAt), gt(t.endedAt, after)),
        sql`${t.paymentStatus} IS NOT 'void'`,
      ),
    )
    .limit(1);
  return found ?? null;
}

/** The ways in which visits have used a lane: most lanes have one. */
export async function usesOfLane(q: Queries, laneId: string): Promise<'entry' | 'exit' | 'both'> {
  const isUsed = async (column: SQLiteColumn) =>
    (await q.select({ id: t.id }).from(t).where(eq(column, laneId)).limit(1).get()) !== undefined;
  if (!(await isUsed(t.exitLaneId))) return 'entry';
  return (await isUsed(t.entryLaneId)) ? 'both' : 'exit';
}

export async function visitExists(q: Queries, id: string): Promise<boolean> {
  return (await visitRowById(q).get({ id })) !== undefined;
}

const openByLane = prepared((q) =>
  q
    .select({ laneId: t.entryLaneId, cars: count() })
    .from(t)
    .where(and(eq(t.siteId, value('siteId')), isNull(t.endedAt)))
    .groupBy(t.entryLaneId)
    .prepare(),
);

/** Vehicles inside a site now, by the lane that they came in by: as many rows are read as there are vehicles. */
export async function carsInside(q: Queries, siteId: string): Promise<CarsOfLane[]> {
  return await openByLane(q).all({ siteId });
}

/** Whether a site (null: any) has had a visit since a moment, or has one from before that is not over. */
export async function hasVisitsSince(q: Queries, siteId: string | null, since: UtcTime): Promise<boolean> {
  const atSite = siteId === null ? undefined : eq(t.siteId, siteId);
  const find = (condition: ReturnType<typeof isNull>) =>
    q.select({ id: t.id }).from(t).where(and(atSite, condition)).limit(1).get();
  return ((await find(isNull(t.endedAt))) ?? (await find(gte(t.startedAt, since)))) !== undefined;
}

/** A visit as an entry for it needs to know it. */
export type VisitForPermit = Pick<VisitRow, 'id' | 'siteId' | 'plate' | 'status' | 'startedAt' | 'endedAt'>;

/** Null where there is none that the caller may see. */
export async function visitForPermit(q: Queries, id: string, own: OwnRows): Promise<VisitForPermit | null> {
  return await findVisitRow(q, id, own);
}

/** Those of these visits that the caller may see, by their ids. */
export async function visitsForPermits(
  q: Queries,
  ids: readonly string[],
  own: OwnRows,
): Promise<ReadonlyMap<string, VisitForPermit>> {
  if (ids.length === 0) return new Map();
  const found = await q
    .select()
    .from(t)
    .where(inArray(t.id, [...ids]));
  return new Map(found.filter((visit) => isOwn(visit, own)).map((visit) => [visit.id, visit]));
}
