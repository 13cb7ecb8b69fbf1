import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { preparedInsert } from '../../platform/db/prepared-insert.ts';
import { and, eq, eqPlaceholder, isNull, ne, or, type SQL, sql } from '../../platform/db/sql.ts';
import { type OwnRows, seesSite } from '../../platform/http/caller.ts';
import { beyond, inDirection, type ListOrder } from '../../platform/http/keyset.ts';
import { COUNTED_UP_TO, type Cursor, type Place } from '../../platform/http/list-envelope.ts';
import { countRows } from '../../platform/http/list-rows.ts';
import { accountTable } from '../../records/accounts/account-table.ts';
import { tokenTable } from '../../records/auth/token-table.ts';
import { whitelistTable as t } from '../../records/whitelist/whitelist-table.ts';
import { type Asking, type EntryFilters, entryConditions } from './entry-filters.ts';
import type { EntryRow } from './whitelist-entry.ts';

/** An entry and what its author is called. */
export interface EntryWithAuthor {
  entry: EntryRow;
  accountName: string | null;
  tokenName: string | null;
  /** 1 where its plate equals the one asked for, else 0. */
  rank: number;
}

const entryById = prepared((q) => selectEntries(q, undefined).where(eqPlaceholder(t.id, 'id')).prepare());

function selectEntries(q: Queries, plate: string | undefined) {
  return q
    .select({
      entry: t,
      accountName: accountTable.name,
      tokenName: tokenTable.name,
      rank: rankOf(plate).mapWith(Number),
    })
    .from(t)
    .leftJoin(accountTable, eq(accountTable.id, t.authorId))
    .leftJoin(tokenTable, and(isNull(t.authorId), eq(tokenTable.id, sql`substr(${t.author}, 7)`)));
}

function rankOf(plate: string | undefined): SQL<number> {
  return plate === undefined ? sql<number>`0` : sql<number>`(${t.plate} = ${plate})`;
}

/** An entry that the caller may see. */
export async function findEntry(q: Queries, id: string, own: OwnRows): Promise<EntryWithAuthor | null> {
  const found = await entryById(q).get({ id });
  return found && isOwn(found.entry, own) ? found : null;
}

/** Newest first, oldest first; by plate from A to Z, and the other way round. */
export const ENTRY_ORDERS = ['newest', 'oldest', 'plate', '-plate'] as const;
export type EntryOrder = (typeof ENTRY_ORDERS)[number];

const ORDERS: Record<EntryOrder, ListOrder> = {
  newest: { at: t.createdAt, id: t.id },
  oldest: { at: t.createdAt, id: t.id, upwards: true },
  plate: { at: t.plate, id: t.id, upwards: true },
  '-plate': { at: t.plate, id: t.id },
};

const isByPlate = (order: EntryOrder) => order === 'plate' || order === '-plate';

/** The place of an entry in its list, newest first. */
export function placeOfEntry({ entry, rank }: EntryWithAuthor): Place {
  return { rank, at: entry.createdAt, id: entry.id };
}

/** The place of an entry in that order. */
export function placeInOrder(order: EntryOrder): (entry: EntryWithAuthor) => Place {
  return ({ entry, rank }) => ({ rank, at: isByPlate(order) ? entry.plate : entry.createdAt, id: entry.id });
}

/** Entries in order, beyond a place. */
export async function listEntries(
  q: Queries,
  filters: EntryFilters,
  asking: Asking,
  page: { order?: EntryOrder; cursor: Cursor | undefined; limit: number },
): Promise<EntryWithAuthor[]> {
  const { order: by = 'newest', cursor, limit } = page;
  // Equal plates come first in the usual order.
  const plate = by === 'newest' ? filters.plate : undefined;
  const order: ListOrder = plate === undefined ? ORDERS[by] : { ...ORDERS[by], rank: rankOf(plate) };
  const go = cursor?.go ?? 'older';
  const found: EntryWithAuthor[][] = [];
  for (const condition of entryConditions(filters, asking, !isByPlate(by) || filters.plate !== undefined)) {
    found.push(
      await selectEntries(q, plate)
        .where(and(condition, cursor && beyond(order, go, cursor)))
        .orderBy(...inDirection(order, go))
        .limit(limit),
    );
  }
  const [entries = []] = found;
  return found.length === 1 ? entries : found.flat().sort(inOrder(by, go)).slice(0, limit);
}

/** Compares entries in the order of the database, so that lists of several conditions become one. */
function inOrder(
  by: EntryOrder,
  go: 'older' | 'newer',
): (one: EntryWithAuthor, other: EntryWithAuthor) => number {
  const sign = (go === 'older') === (ORDERS[by].upwards ?? false) ? 1 : -1;
  const placeOf = placeInOrder(by);
  const isBefore = (one: Place, other: Place) =>
    one.rank < other.rank ||
    (one.rank === other.rank && (one.at < other.at || (one.at === other.at && one.id < other.id)));
  return (one, other) => (isBefore(placeOf(one), placeOf(other)) ? -sign : sign);
}

/** How many there are, up to one more than are counted. */
export async function countEntries(q: Queries, filters: EntryFilters, asking: Asking): Promise<number> {
  let n = 0;
  for (const condition of entryConditions(filters, asking)) {
    n += await countRows(q, t, condition);
  }
  return Math.min(n, COUNTED_UP_TO + 1);
}

const SAME = ['effect', 'type', 'siteId', 'visitId', 'expireAt', 'customerId'] as const;

const sameEntry = prepared((q) =>
  q
    .select()
    .from(t)
    .where(
      and(
        eqPlaceholder(t.plate, 'plate'),
        ne(t.status, 'deleted'),
        ...SAME.map((name) => sql`+${t[name]} IS ${sql.param(sql.placeholder(name), t[name])}`),
        // An entry that begins when it is written is the same as one that was written, and began, earlier.
        sql`(${t.activeFrom} IS ${sql.placeholder('activeFrom')}
          OR (${sql.placeholder('activeFrom')} = ${sql.placeholder('createdAt')} AND ${t.activeFrom} = ${t.createdAt}))`,
        sql`(${sql.placeholder('anyAuthor')} OR ${t.customerId} IS NOT NULL OR ${t.author} = ${sql.placeholder('author')})`,
      ),
    )
    .limit(1)
    .prepare(),
);

/**
 * The entry that was made before with the same plate, kind and time, for the same customer; if it has none, by the
 * same author. Others may list a plate too, which is not revealed.
 */
export async function findSameEntry(q: Queries, row: EntryRow, own: OwnRows): Promise<EntryRow | null> {
  const same = Object.fromEntries(SAME.map((name) => [name, row[name]]));
  const { plate, author, activeFrom, createdAt } = row;
  const whose = { plate, author, anyAuthor: own.all ? 1 : 0 };
  return (await sameEntry(q).get({ ...same, ...whose, activeFrom, createdAt })) ?? null;
}

/** The live entries by the ends of the index, so that no expired one is read, however many there are. */
const endlessOf = prepared((q) => liveOf(q, sql`${t.expireAt} IS NULL`));
const endingOf = prepared((q) => liveOf(q, sql`${t.expireAt} > ${sql.placeholder('now')}`));

function liveOf(q: Queries, end: SQL) {
  return q
    .select({ one: sql`1` })
    .from(t)
    .where(and(eqPlaceholder(t.author, 'author'), sql`${t.status} <> 'deleted'`, end))
    .limit(sql.placeholder('limit'))
    .prepare();
}

/** How many entries of an author hold or will hold, counted up to a limit. */
export async function countLiveEntries(
  q: Queries,
  author: string,
  now: string,
  limit: number,
): Promise<number> {
  const endless = (await endlessOf(q).all({ author, limit })).length;
  if (endless >= limit) return endless;
  return endless + (await endingOf(q).all({ author, now, limit: limit - endless })).length;
}

/** Entries of exactly this plate that a site holds. */
export async function entriesAtSite(q: Queries, plate: string, siteId: string): Promise<EntryRow[]> {
  return await q
    .select()
    .from(t)
    .where(and(eq(t.plate, plate), ne(t.status, 'deleted'), or(isNull(t.siteId), eq(t.siteId, siteId))));
}

/** Entries that sites hold for a visit. */
export async function entriesOfVisit(q: Queries, visitId: string): Promise<EntryRow[]> {
  return await q
    .select()
    .from(t)
    .where(and(eq(t.visitId, visitId), ne(t.status, 'deleted')));
}

export const insertEntry = preparedInsert(t);

export async function updateEntryRow(q: Queries, row: EntryRow): Promise<void> {
  await q.update(t).set(row).where(eq(t.id, row.id));
}

function isOwn(entry: EntryRow, own: OwnRows): boolean {
  if (own.all) return entry.siteId === null || seesSite(own, entry.siteId);
  return entry.customerId === own.customerId && (own.customerId !== null || entry.author === own.author);
}
