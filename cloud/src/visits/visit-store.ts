import { and, asc, count, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { OwnRows } from '../auth/caller.ts';
import { cameraTable } from '../cameras/camera-table.ts';
import type { Queries } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import { beyond, inDirection, type ListOrder } from '../http/keyset.ts';
import { COUNTED_UP_TO, type Cursor } from '../http/list-envelope.ts';
import { photoTable } from '../photos/photo-table.ts';
import { settlementTable } from './settlement-table.ts';
import { conditionsOf, shapeOf, type VisitFilters } from './visit-filters.ts';
import { visitTable as t, visitStepTable } from './visit-table.ts';
import type { FoundVisit, VisitRow, VisitStepRow } from './visit-view.ts';

const entrance = alias(photoTable, 'entrance');
const exit = alias(photoTable, 'exit_photo');
const entranceCamera = alias(cameraTable, 'entrance_camera');
const exitCamera = alias(cameraTable, 'exit_camera');
const value = sql.placeholder;

/** What the API shows of a visit; each column of a long list costs time. */
const shownColumns = {
  id: t.id,
  siteId: t.siteId,
  plate: t.plate,
  status: t.status,
  paymentStatus: t.paymentStatus,
  startedAt: t.startedAt,
  endedAt: t.endedAt,
  createdAt: t.createdAt,
  amountMinor: t.amountMinor,
  currency: t.currency,
  price: t.price,
  unitsMet: t.unitsMet,
  paidUntil: t.paidUntil,
  flags: t.flags,
  exitFoundBy: t.exitFoundBy,
  customerId: t.customerId,
};

function selectVisits(q: Queries, rank: SQL) {
  return q
    .select({
      visit: shownColumns,
      entrance: {
        id: entrance.id,
        receivedAt: entrance.receivedAt,
        capturedAt: entrance.capturedAt,
        plate: entrance.plate,
        score: entrance.score,
        country: entrance.country,
        url: entrance.url,
        status: entrance.status,
        createdAt: entrance.createdAt,
        remoteId: entrance.cameraId,
      },
      entranceCamera: { id: entranceCamera.id, name: entranceCamera.name },
      exit: {
        id: exit.id,
        receivedAt: exit.receivedAt,
        capturedAt: exit.capturedAt,
        plate: exit.plate,
        score: exit.score,
        country: exit.country,
        url: exit.url,
        status: exit.status,
        createdAt: exit.createdAt,
        remoteId: exit.cameraId,
      },
      exitCamera: { id: exitCamera.id, name: exitCamera.name },
      rank: rank.mapWith(Number),
    })
    .from(t)
    .leftJoin(entrance, eq(entrance.id, t.entryReadId))
    .leftJoin(
      entranceCamera,
      and(eq(entranceCamera.siteId, t.siteId), eq(entranceCamera.remoteId, entrance.cameraId)),
    )
    .leftJoin(exit, eq(exit.id, t.exitReadId))
    .leftJoin(exitCamera, and(eq(exitCamera.siteId, t.siteId), eq(exitCamera.remoteId, exit.cameraId)));
}

const visitById = prepared((q) =>
  selectVisits(q, sql`0`)
    .where(eq(t.id, value('id')))
    .prepare(),
);

/** A visit that the caller may see, as it is shown. */
export async function findVisit(q: Queries, id: string, own: OwnRows): Promise<FoundVisit | null> {
  const found = await visitById(q).get({ id });
  return found && isOwn(found.visit, own) ? found : null;
}

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

function isOwn({ customerId }: Pick<VisitRow, 'customerId'>, own: OwnRows): boolean {
  return own.all || (customerId !== null && customerId === own.customerId);
}

/** What a list asks for. `plate`: the one whose equals come first. */
export interface VisitListQuestion {
  filters: VisitFilters;
  plate: string | undefined;
}

type ListQuery = (q: Queries) => ReturnType<typeof prepareList>;
type CountQuery = (q: Queries) => ReturnType<typeof prepareCount>;
const lists = new Map<string, ListQuery>();
const counts = new Map<string, CountQuery>();

/** One per shape of a query; there are a few hundred at most. */
function once<Query>(known: Map<string, Query>, shape: string, make: () => Query): Query {
  const query = known.get(shape) ?? make();
  known.set(shape, query);
  return query;
}

function prepareList(q: Queries, filters: VisitFilters, ranked: boolean, go: Cursor['go'], onward: boolean) {
  const rank = ranked ? sql`(${t.plate} = ${value('plate')})` : sql`0`;
  const order: ListOrder = { ...(ranked ? { rank } : {}), at: t.startedAt, id: t.id };
  const place = { rank: value('cursorRank'), at: value('cursorAt'), id: value('cursorId') };
  return selectVisits(q, rank)
    .where(and(conditionsOf(filters), onward ? beyond(order, go, place) : undefined))
    .orderBy(...inDirection(order, go))
    .limit(value('limit'))
    .prepare();
}

/** Visits in order, beyond a place. */
export async function listVisits(
  q: Queries,
  { filters, plate }: VisitListQuestion,
  { cursor, limit }: { cursor: Cursor | undefined; limit: number },
): Promise<FoundVisit[]> {
  const go = cursor?.go ?? 'older';
  const ranked = plate !== undefined;
  const onward = cursor !== undefined;
  const shape = `${go} ${onward} ${shapeOf(filters)}`;
  const query = once(lists, shape, () => prepared((on) => prepareList(on, filters, ranked, go, onward)));
  return await query(q).all({
    ...filters,
    plate,
    limit,
    cursorRank: cursor?.rank,
    cursorAt: cursor?.at,
    cursorId: cursor?.id,
  });
}

function prepareCount(q: Queries, filters: VisitFilters) {
  const some = q.select({ id: t.id }).from(t).where(conditionsOf(filters)).limit(value('limit')).as('some');
  return q.select({ n: count() }).from(some).prepare();
}

/** How many there are, up to a limit (-1: all). */
export async function countVisits(
  q: Queries,
  filters: VisitFilters,
  limit: number = COUNTED_UP_TO + 1,
): Promise<number> {
  const query = once(counts, shapeOf(filters), () => prepared((on) => prepareCount(on, filters)));
  return (await query(q).get({ ...filters, limit }))?.n ?? 0;
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

export async function insertStep(q: Queries, step: VisitStepRow): Promise<void> {
  await q.insert(visitStepTable).values(step);
}

export async function updateVisitRow(q: Queries, row: VisitRow): Promise<void> {
  await q.update(t).set(row).where(eq(t.id, row.id));
}

export async function insertSettlement(
  q: Queries,
  settlement: typeof settlementTable.$inferSelect,
): Promise<void> {
  await q.insert(settlementTable).values(settlement);
}
