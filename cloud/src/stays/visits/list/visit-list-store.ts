import { foldPlate } from '@hlid/protocol/plate/plate';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { listed, timeText } from '../../../platform/db/compact-columns.ts';
import type { Queries } from '../../../platform/db/db.ts';
import { parseJson } from '../../../platform/db/json-object.ts';
import { prepared } from '../../../platform/db/prepared.ts';
import { and, count, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from '../../../platform/db/sql.ts';
import type { OwnRows } from '../../../platform/http/caller.ts';
import { beyond, inDirection, type ListOrder, rowOf } from '../../../platform/http/keyset.ts';
import { COUNTED_UP_TO, type Cursor } from '../../../platform/http/list-envelope.ts';
import { type PageOfRows, type PartOfList, readParts } from '../../../platform/http/list-rows.ts';
import { isOwn } from '../../../records/visits/find-visits.ts';
import { visitTable as t } from '../../../records/visits/visit-table.ts';
import { conditionsOf, isSorted, shapeOf, type VisitFilters, type VisitOrder } from './visit-filters.ts';
import {
  type ShownVisit,
  selectVisits,
  shownVisit,
  stayDue,
  toPrice,
  type VisitValues,
} from './visit-json.ts';
import type { VisitView } from './visit-view.ts';

const value = sql.placeholder;

/**
 * The question of a list. `plate`: visits with an equal plate come first, and then those confused with it.
 */
export interface VisitListQuestion {
  filters: VisitFilters;
  plate: string | undefined;
}

type ListQuery = (q: Queries) => ReturnType<typeof prepareList>;
type RowsQuery = (q: Queries) => ReturnType<typeof prepareRows>;
type CountQuery = (q: Queries) => ReturnType<typeof prepareCount>;
const lists = new Map<string, ListQuery>();
const rows = new Map<string, RowsQuery>();
const counts = new Map<string, CountQuery>();

/** One per shape of a query; there are a few hundred at most. */
function once<Query>(known: Map<string, Query>, shape: string, make: () => Query): Query {
  const query = known.get(shape) ?? make();
  known.set(shape, query);
  return query;
}

/** A part of a list in its order. `at`: a moment, unless `kind` names another type. */
interface Part {
  where?: SQL;
  at: SQLiteColumn | SQL;
  kind?: 'text' | 'number';
  second?: SQLiteColumn;
  upwards: boolean;
}

const HAS_ENDED = isNotNull(t.endedAt);
const IS_INSIDE = isNull(t.endedAt);

function byPlate(upwards: boolean): Part[] {
  return [
    { where: isNotNull(t.plate), at: t.plate, kind: 'text', second: t.startedAt, upwards },
    { where: isNull(t.plate), at: t.startedAt, upwards },
  ];
}

function byEnd(upwards: boolean): Part[] {
  return [
    { where: HAS_ENDED, at: t.endedAt, upwards },
    { where: IS_INSIDE, at: t.startedAt, upwards },
  ];
}

/** The expression matches the index's own, so that SQLite uses it. */
const STAY = sql`(${t.endedAt} - ${t.startedAt})`;
const OVER = { where: HAS_ENDED, at: STAY, kind: 'number' } as const;
/** The visit that began last is the shortest. */
const GOES_ON = { where: IS_INSIDE, at: t.startedAt };

const ORDERS: Record<VisitOrder, readonly Part[]> = {
  newest: [{ at: t.startedAt, upwards: false }],
  oldest: [{ at: t.startedAt, upwards: true }],
  plate: byPlate(true),
  '-plate': byPlate(false),
  ended: byEnd(true),
  '-ended': byEnd(false),
  stay: [
    { ...OVER, upwards: true },
    { ...GOES_ON, upwards: false },
  ],
  '-stay': [
    { ...GOES_ON, upwards: true },
    { ...OVER, upwards: false },
  ],
};

/** The common part of all queries of a list: which visits, and in which order. */
interface ListParts {
  rank: SQL;
  at: Part['at'];
  where: SQL | undefined;
  order: SQL[];
}

/** The shape of a list: its filters, the part of it, its direction and its start. */
interface ListShape {
  filters: VisitFilters;
  part: number;
  /** Equal plates come first. */
  ranked: boolean;
  go: Cursor['go'];
  /** The list continues from a place. */
  onward: boolean;
}

function partOf({ filters: { order = 'newest' }, part }: Pick<ListShape, 'filters' | 'part'>): Part {
  const found = ORDERS[order][part];
  if (found === undefined) throw new RangeError(`there is no part ${part} of a list by ${order}`);
  return found;
}

function listParts(q: Queries, shape: ListShape): ListParts {
  const { filters, part, ranked, go, onward } = shape;
  const rank = ranked
    ? sql`((${t.plate} = ${value('plate')}) + (${t.plateFolded} = ${value('plateKey')}))`
    : sql.raw(`${part}`);
  const { at, second, upwards, where } = partOf(shape);
  const order: ListOrder = {
    ...(ranked ? { rank } : {}),
    at,
    ...(second === undefined ? {} : { second }),
    id: t.id,
    byRow: true,
    upwards,
  };
  const place = { rank: value('cursorRank'), at: value('cursorAt'), id: value('cursorId') };
  const conditions = and(conditionsOf(filters), where, onward ? beyond(order, go, place) : undefined);
  const inOrder = inDirection(order, go);
  if (!ranked && !isSorted(filters)) return { rank, at, where: conditions, order: inOrder };
  // No index has this order: all that is found is sorted, and should be no more than its numbers until then.
  const page = q
    .select({ row: rowOf(t.id).as('row') })
    .from(t)
    .where(conditions)
    .orderBy(...inOrder)
    .limit(value('limit'));
  return { rank, at, where: inArray(rowOf(t.id), page), order: inOrder };
}

function prepareList(q: Queries, shape: ListShape) {
  const { rank, at, where, order } = listParts(q, shape);
  return selectVisits(q, rank, at)
    .where(where)
    .orderBy(...order)
    .limit(value('limit'))
    .prepare();
}

function prepareRows(q: Queries, shape: ListShape) {
  const { rank, at, where, order } = listParts(q, shape);
  return q
    .select({
      rank: sql`${rank}`.mapWith(Number),
      at: sql`${at}`.mapWith((place: string | number) => place),
      toPrice,
      visit: t,
    })
    .from(t)
    .where(where)
    .orderBy(...order)
    .limit(value('limit'))
    .prepare();
}

/** Reads the parts of a list until the page is full. */
async function inParts<Row>(
  { filters, plate }: VisitListQuestion,
  page: PageOfRows,
  read: (shape: ListShape, values: Readonly<Record<string, unknown>>) => Promise<Row[]>,
): Promise<Row[]> {
  const { order = 'newest' } = filters;
  // Equal plates come first if no other order is requested.
  const ranked = plate !== undefined && filters.order === undefined;
  const readPart = ({ part, go, cursor, limit }: PartOfList) => {
    const shape = { filters, part, ranked, go, onward: cursor !== undefined };
    const isNumber = partOf(shape).kind === 'number';
    return read(shape, {
      ...filters,
      plate,
      plateKey: plate === undefined ? undefined : foldPlate(plate),
      limit,
      cursorRank: cursor?.rank,
      cursorAt: isNumber ? Number(cursor?.at) : cursor?.at,
      cursorId: cursor?.id,
    });
  };
  const parts = ORDERS[order].length;
  if (parts === 1) return await readPart({ ...page, part: 0, go: page.cursor?.go ?? 'older' });
  return await readParts(parts, page, readPart);
}

const nameOf = ({ part, go, onward, filters }: ListShape) => `${part} ${go} ${onward} ${shapeOf(filters)}`;

/** Visits in order, beyond a place. */
export async function listVisits(
  q: Queries,
  question: VisitListQuestion,
  page: PageOfRows,
): Promise<ShownVisit[]> {
  return await inParts(question, page, async (shape, values) => {
    const query = once(lists, nameOf(shape), () => prepared((on) => prepareList(on, shape)));
    const found: VisitValues[] = await query(q).values(values);
    const isTime = partOf(shape).kind === undefined;
    return found.map((row) => shownVisit(row, isTime));
  });
}

/** The same as they are stored, and which are priced now. */
export async function listVisitRows(q: Queries, question: VisitListQuestion, page: PageOfRows) {
  return await inParts(question, page, async (shape, values) => {
    const query = once(rows, nameOf(shape), () => prepared((on) => prepareRows(on, shape)));
    const isTime = partOf(shape).kind === undefined;
    const found = await query(q).all(values);
    return found.map(({ at, ...row }) => ({ ...row, at: isTime ? timeText(Number(at)) : String(at) }));
  });
}

/** The same visits without an order: it does not matter to a caller that counts them. */
export function unordered({ order: _order, started: _started, ...filters }: VisitFilters): VisitFilters {
  return filters;
}

function prepareCount(q: Queries, filters: VisitFilters) {
  const some = q
    .select({ one: sql`1`.as('one') })
    .from(t)
    .where(conditionsOf(filters))
    .limit(value('limit'))
    .as('some');
  return q.select({ n: count() }).from(some).prepare();
}

/** How many there are, up to a limit (-1: all). */
export async function countVisits(
  q: Queries,
  asked: VisitFilters,
  limit: number = COUNTED_UP_TO + 1,
): Promise<number> {
  const filters = unordered(asked);
  const query = once(counts, shapeOf(filters), () => prepared((on) => prepareCount(on, filters)));
  return (await query(q).get({ ...filters, limit }))?.n ?? 0;
}

const newest = new Map<string, (q: Queries) => ReturnType<typeof prepareNewest>>();

function prepareNewest(q: Queries, filters: VisitFilters) {
  const { id, plate, status, siteId, startedAt, currency } = t;
  return q
    .select(listed({ id, plate, status, siteId, startedAt, amountMinor: stayDue, currency, toPrice }))
    .from(t)
    .where(conditionsOf(filters))
    .orderBy(desc(t.startedAt), desc(rowOf(t.id)))
    .limit(value('limit'))
    .prepare();
}

/** The newest visits, in order, with what is counted of them; `toPrice`: not with the amount that is due now. */
export async function newestVisits(q: Queries, asked: VisitFilters, limit: number) {
  const filters = unordered(asked);
  const query = once(newest, shapeOf(filters), () => prepared((on) => prepareNewest(on, filters)));
  return await query(q).all({ ...filters, limit });
}

const visitById = prepared((q) =>
  selectVisits(q, sql`0`, t.startedAt)
    .where(eq(t.id, value('id')))
    .prepare(),
);

/** A visit as it is shown in a list. */
export async function findShownVisit(q: Queries, id: string): Promise<ShownVisit | null> {
  const [found]: VisitValues[] = await visitById(q).values({ id });
  return found === undefined ? null : shownVisit(found);
}

/** A visit that the caller may see, as it is shown. */
export async function findVisit(q: Queries, id: string, own: OwnRows): Promise<VisitView | null> {
  const found = await findShownVisit(q, id);
  if (found === null) return null;
  const visit = parseJson(found.shown);
  return isOwn({ customerId: visit.customer?.id ?? null, siteId: visit.siteId }, own) ? visit : null;
}
