import { foldPlate } from '@hlid/protocol/plate/plate';
import { and, count, desc, inArray, type SQL, sql } from 'drizzle-orm';
import { eqPlaceholder, listedId } from '../../../platform/db/compact-columns.ts';
import type { Queries } from '../../../platform/db/db.ts';
import { parseJson } from '../../../platform/db/json-object.ts';
import { prepared } from '../../../platform/db/prepared.ts';
import type { OwnRows } from '../../../platform/http/caller.ts';
import { beyond, inDirection, type ListOrder, rowOf } from '../../../platform/http/keyset.ts';
import { COUNTED_UP_TO, type Cursor } from '../../../platform/http/list-envelope.ts';
import { isOwn } from '../../../records/visits/find-visits.ts';
import { visitTable as t } from '../../../records/visits/visit-table.ts';
import { conditionsOf, isSorted, shapeOf, type VisitFilters } from './visit-filters.ts';
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

/** What a list asks for. `plate`: the one whose equals come first, and then those confused with it. */
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

/** What all queries of a list have in common: which visits, and in which order. */
interface ListParts {
  rank: SQL;
  at: ReturnType<typeof orderedBy>;
  where: SQL | undefined;
  order: SQL[];
}

/** Which list: its filters, and which way it goes from where. */
interface ListShape {
  filters: VisitFilters;
  /** Equal plates come first. */
  ranked: boolean;
  go: Cursor['go'];
  /** From a place on. */
  onward: boolean;
}

function listParts(q: Queries, { filters, ranked, go, onward }: ListShape): ListParts {
  const rank = ranked
    ? sql`((${t.plate} = ${value('plate')}) + (${t.plateFolded} = ${value('plateKey')}))`
    : sql`0`;
  const at = orderedBy(filters);
  const order: ListOrder = { ...(ranked ? { rank } : {}), at, id: t.id, byRow: true };
  const place = { rank: value('cursorRank'), at: value('cursorAt'), id: value('cursorId') };
  const conditions = and(conditionsOf(filters), onward ? beyond(order, go, place) : undefined);
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
    .select({ rank: sql`${rank}`.mapWith(Number), at, toPrice, visit: t })
    .from(t)
    .where(where)
    .orderBy(...order)
    .limit(value('limit'))
    .prepare();
}

function orderedBy({ order }: VisitFilters) {
  return order === 'left' ? t.endedAt : t.startedAt;
}

interface ListPage {
  cursor: Cursor | undefined;
  limit: number;
}

function listShape({ filters, plate }: VisitListQuestion, cursor: Cursor | undefined): ListShape {
  const onwards = (cursor?.go ?? 'older') === 'older';
  const go = onwards === (filters.order === 'oldest') ? 'newer' : 'older';
  // Equal plates come first where nobody asks for another order.
  return {
    filters,
    ranked: plate !== undefined && filters.order === undefined,
    go,
    onward: cursor !== undefined,
  };
}

const nameOf = ({ go, onward, filters }: ListShape) => `${go} ${onward} ${shapeOf(filters)}`;

function listValues({ filters, plate }: VisitListQuestion, { cursor, limit }: ListPage) {
  return {
    ...filters,
    plate,
    plateKey: plate === undefined ? undefined : foldPlate(plate),
    limit,
    cursorRank: cursor?.rank,
    cursorAt: cursor?.at,
    cursorId: cursor?.id,
  };
}

/** Visits in order, beyond a place. */
export async function listVisits(
  q: Queries,
  question: VisitListQuestion,
  page: ListPage,
): Promise<ShownVisit[]> {
  const shape = listShape(question, page.cursor);
  const query = once(lists, nameOf(shape), () => prepared((on) => prepareList(on, shape)));
  const found: VisitValues[] = await query(q).values(listValues(question, page));
  return found.map((values) => shownVisit(values));
}

/** The same as they are stored, and which are priced now. */
export async function listVisitRows(q: Queries, question: VisitListQuestion, page: ListPage) {
  const shape = listShape(question, page.cursor);
  const query = once(rows, nameOf(shape), () => prepared((on) => prepareRows(on, shape)));
  return await query(q).all(listValues(question, page));
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
  filters: VisitFilters,
  limit: number = COUNTED_UP_TO + 1,
): Promise<number> {
  const query = once(counts, shapeOf(filters), () => prepared((on) => prepareCount(on, filters)));
  return (await query(q).get({ ...filters, limit }))?.n ?? 0;
}

const newest = new Map<string, (q: Queries) => ReturnType<typeof prepareNewest>>();

function prepareNewest(q: Queries, filters: VisitFilters) {
  const { id, plate, status, siteId, startedAt, currency } = t;
  return q
    .select({ id: listedId(id), plate, status, siteId, startedAt, amountMinor: stayDue, currency, toPrice })
    .from(t)
    .where(conditionsOf(filters))
    .orderBy(desc(t.startedAt), desc(rowOf(t.id)))
    .limit(value('limit'))
    .prepare();
}

/** The newest visits, in order, with what is counted of them; `toPrice`: not with the amount that is due now. */
export async function newestVisits(q: Queries, filters: VisitFilters, limit: number) {
  const query = once(newest, shapeOf(filters), () => prepared((on) => prepareNewest(on, filters)));
  return await query(q).all({ ...filters, limit });
}

const visitById = prepared((q) =>
  selectVisits(q, sql`0`, t.startedAt).where(eqPlaceholder(t.id, 'id')).prepare(),
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
