import { foldPlate } from '@hlid/protocol/plate';
import type { UtcTime } from '@hlid/protocol/utc-time';
import {
  and,
  count,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { accountTable } from '../accounts/account-table.ts';
import type { OwnRows } from '../auth/caller.ts';
import { tokenTable } from '../auth/token-table.ts';
import type { Queries } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import { beyond, inDirection, type ListOrder } from '../http/keyset.ts';
import { COUNTED_UP_TO, type Cursor } from '../http/list-envelope.ts';
import type { EntryRow } from './whitelist-entry.ts';
import { whitelistTable as t } from './whitelist-table.ts';

/** An entry and what its author is called. */
export interface EntryWithAuthor {
  entry: EntryRow;
  accountName: string | null;
  tokenName: string | null;
  /** 1 where its plate equals the one asked for, else 0. */
  rank: number;
}

export interface EntryFilters {
  collection?: string | undefined;
  /** Normalised; equal plates first, then confusable ones. */
  plate?: string | undefined;
  /** The beginning of it. */
  reason?: string | undefined;
  /** Whether it holds at `now`, but for its weekly rules. */
  active?: boolean | undefined;
  /** It expires at all, it never does, or it does by then. */
  expire?: boolean | UtcTime | undefined;
  type?: 'permanent' | 'temporary' | undefined;
  /** Absent: all but the deleted. */
  status?: EntryRow['status'] | 'all' | undefined;
  objectType?: EntryRow['effect'] | undefined;
  siteId?: string | undefined;
}

/** Who asks, and when. */
export interface Asking {
  own: OwnRows;
  now: UtcTime;
}

const entryById = prepared((q) =>
  selectEntries(q, undefined)
    .where(eq(t.id, sql.placeholder('id')))
    .prepare(),
);

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

/** Entries in order, beyond a place. */
export async function listEntries(
  q: Queries,
  filters: EntryFilters,
  asking: Asking,
  page: { cursor: Cursor | undefined; limit: number },
): Promise<EntryWithAuthor[]> {
  const { plate } = filters;
  const order: ListOrder = {
    ...(plate === undefined ? {} : { rank: rankOf(plate) }),
    at: t.createdAt,
    id: t.id,
  };
  const { cursor, limit } = page;
  const go = cursor?.go ?? 'older';
  return await selectEntries(q, plate)
    .where(and(...conditions(filters, asking), cursor && beyond(order, go, cursor)))
    .orderBy(...inDirection(order, go))
    .limit(limit);
}

/** How many there are, up to one more than are counted. */
export async function countEntries(q: Queries, filters: EntryFilters, asking: Asking): Promise<number> {
  const some = q
    .select({ id: t.id })
    .from(t)
    .where(and(...conditions(filters, asking)))
    .limit(COUNTED_UP_TO + 1)
    .as('some');
  const [row] = await q.select({ n: count() }).from(some);
  return row?.n ?? 0;
}

/** The entry that was made before with the same plate, kind and time. */
export async function findSameEntry(q: Queries, row: EntryRow): Promise<EntryRow | null> {
  const same = (['effect', 'type', 'siteId', 'visitId', 'activeFrom', 'expireAt'] as const).map(
    (name) => sql`${t[name]} IS ${row[name]}`,
  );
  const [found] = await q
    .select()
    .from(t)
    .where(and(eq(t.plate, row.plate), ne(t.status, 'deleted'), ...same))
    .limit(1);
  return found ?? null;
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

export async function insertEntry(q: Queries, row: EntryRow): Promise<void> {
  await q.insert(t).values(row);
}

export async function updateEntryRow(q: Queries, row: EntryRow): Promise<void> {
  await q.update(t).set(row).where(eq(t.id, row.id));
}

function isOwn(entry: EntryRow, own: OwnRows): boolean {
  if (own.all) return true;
  return own.customerId === null ? entry.author === own.author : entry.customerId === own.customerId;
}

function conditions(filters: EntryFilters, { own, now }: Asking): (SQL | undefined)[] {
  const { collection, plate, reason, active, expire, type, status, objectType, siteId } = filters;
  return [
    ownCondition(own),
    collection === undefined ? undefined : eq(t.collection, collection),
    plate === undefined ? undefined : eq(t.plateFolded, foldPlate(plate)),
    reason === undefined ? undefined : and(gte(t.reason, reason), lt(t.reason, `${reason}\u{10FFFF}`)),
    active === undefined ? undefined : activeCondition(active, now),
    expire === undefined ? undefined : expireCondition(expire),
    type === undefined
      ? undefined
      : inArray(t.type, type === 'permanent' ? ['permanent'] : ['time', 'visit']),
    status === undefined
      ? inArray(t.status, ['active', 'paused'])
      : status === 'all'
        ? undefined
        : eq(t.status, status),
    objectType === undefined ? undefined : eq(t.effect, objectType),
    siteId === undefined ? undefined : or(isNull(t.siteId), eq(t.siteId, siteId)),
  ];
}

function ownCondition(own: OwnRows): SQL | undefined {
  if (own.all) return undefined;
  return own.customerId === null ? eq(t.author, own.author) : eq(t.customerId, own.customerId);
}

function activeCondition(active: boolean, now: UtcTime): SQL | undefined {
  return active
    ? and(
        eq(t.status, 'active'),
        or(isNull(t.activeFrom), lte(t.activeFrom, now)),
        or(isNull(t.expireAt), gt(t.expireAt, now)),
      )
    : or(ne(t.status, 'active'), gt(t.activeFrom, now), lte(t.expireAt, now));
}

function expireCondition(expire: boolean | UtcTime): SQL {
  if (typeof expire === 'string') return lte(t.expireAt, expire);
  return expire ? isNotNull(t.expireAt) : isNull(t.expireAt);
}
