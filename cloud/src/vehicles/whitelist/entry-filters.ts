import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { hasPlate, plateRange } from '../../platform/db/search-key.ts';
import {
  and,
  eq,
  gt,
  gte,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  or,
  type SQL,
  sql,
  type Term,
  unindexed,
} from '../../platform/db/sql.ts';
import { type OwnRows, seesSite, sitesOf } from '../../platform/http/caller.ts';
import { whitelistTable as t } from '../../records/whitelist/whitelist-table.ts';
import type { EntryRow } from './whitelist-entry.ts';

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
  /** The customer with the accounts that made it. */
  customer?: string | undefined;
}

/** The caller of a list, and the time of the call. */
export interface Asking {
  own: OwnRows;
  now: UtcTime;
}

/** A column as a condition may name it: as it is, or kept from its index. */
type Named = <Column extends SQLiteColumn>(column: Column) => Term<Column>;
type Condition = ((named: Named) => SQL | undefined) | undefined;

/**
 * The conditions of the rows: one, or several that exclude each other. The database does not know how rare a
 * value is, so the query fixes the index. The first requested term below finds the rows by its index, and the
 * others only check them. Values of partial indexes stand in the text, where the database can see them.
 *
 * @param usesOtherIndex false: none of them finds the rows, because the index of their order does
 */
export function entryConditions(filters: EntryFilters, { own, now }: Asking, usesOtherIndex = true): SQL[] {
  const { collection, plate, reason, siteId, objectType, customer } = filters;
  const before: Condition[] = [
    plate === undefined ? undefined : () => hasPlate(t, plateRange(plate)),
    ownTerm(own),
    customer === undefined ? undefined : (named) => eq(named(t.customerId), customer),
    reason === undefined
      ? undefined
      : (named) => and(gte(named(t.reason), reason), lt(named(t.reason), `${reason}\u{10FFFF}`)),
    collection === undefined ? undefined : (named) => eq(named(t.collection), collection),
    objectType === 'block' ? (named) => sql`${named(t.effect)} = 'block'` : undefined,
  ];
  const after: Condition[] = [
    expireTerm(filters.expire),
    typeTerm(filters.type),
    statusTerm(filters),
    activeTerm(filters.active, now),
    objectType === 'allow' ? () => eq(unindexed(t.effect), 'allow') : undefined,
  ];
  // Entries of every site and those of one: each in order by the same index, where `OR` would have to sort.
  const everywhere: Condition = (named) => isNull(named(t.siteId));
  const at =
    (site: string): Condition =>
    (named) =>
      eq(named(t.siteId), site);
  const seen = sitesOf(own);
  const sites = siteId === undefined ? seen : [siteId].filter((site) => seesSite(own, site));
  const places: Condition[] = sites === null ? [undefined] : [everywhere, ...sites.map(at)];
  return places.map((place) => allOf([...before, place, ...after], usesOtherIndex));
}

function allOf(terms: readonly Condition[], usesOtherIndex: boolean): SQL {
  const [first, ...others] = terms.filter((term) => term !== undefined);
  return (
    and(
      first?.((column) => unindexed(column, !usesOtherIndex)),
      ...others.map((term) => term(unindexed)),
    ) ?? sql`true`
  );
}

function ownTerm(own: OwnRows): Condition {
  if (own.all) return undefined;
  const { customerId, author } = own;
  if (customerId !== null) return (named) => eq(named(t.customerId), customerId);
  // Entries that it made for a customer stay with that customer.
  return (named) => and(eq(named(t.author), author), isNull(unindexed(t.customerId)));
}

function expireTerm(expire: EntryFilters['expire']): Condition {
  if (expire === undefined) return undefined;
  if (expire === false) return (named) => isNull(named(t.expireAt));
  const by = expire === true ? undefined : lte(unindexed(t.expireAt), expire);
  return (named) => and(isNotNull(named(t.expireAt)), by);
}

function typeTerm(type: EntryFilters['type']): Condition {
  if (type === undefined) return undefined;
  return (named) =>
    type === 'permanent' ? eq(named(t.type), 'permanent') : sql`${named(t.type)} <> 'permanent'`;
}

function statusTerm({ status, active }: EntryFilters): Condition {
  if (status === 'all' || (status === undefined && active === true)) {
    return active === true ? (named) => eq(named(t.status), 'active') : undefined;
  }
  return (named) =>
    status === undefined ? sql`${named(t.status)} <> 'deleted'` : eq(named(t.status), status);
}

function activeTerm(active: boolean | undefined, now: UtcTime): Condition {
  if (active === undefined) return undefined;
  const status = unindexed(t.status);
  const activeFrom = unindexed(t.activeFrom);
  const expireAt = unindexed(t.expireAt);
  return () =>
    active
      ? and(
          eq(status, 'active'),
          or(isNull(activeFrom), lte(activeFrom, now)),
          or(isNull(expireAt), gt(expireAt, now)),
        )
      : or(ne(status, 'active'), gt(activeFrom, now), lte(expireAt, now));
}
