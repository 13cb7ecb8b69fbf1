import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { contains } from '../../platform/db/search-key.ts';
import { and, eq, inArray, isNotNull, isNull, or, type SQL, sql } from '../../platform/db/sql.ts';
import type { AccountRole, OwnRows } from '../../platform/http/caller.ts';
import { beyond, inDirection, type ListOrder } from '../../platform/http/keyset.ts';
import type { Cursor, Place } from '../../platform/http/list-envelope.ts';
import { countRows } from '../../platform/http/list-rows.ts';
import type { AccountRow } from '../../records/accounts/account-store.ts';
import { loginTable, accountTable as t } from '../../records/accounts/account-table.ts';
import { ACCOUNT_AUTHOR } from '../../records/accounts/find-account.ts';
import { loginName } from '../../records/accounts/login-store.ts';
import { tokenTable } from '../../records/auth/token-table.ts';
import type { CustomerRow } from '../../records/customers/customer-store.ts';
import { customerTable } from '../../records/customers/customer-table.ts';
import { custodianTable } from '../../records/vehicles/custodian-table.ts';
import { vehicleTable } from '../../records/vehicles/vehicle-table.ts';

export const ACCOUNT_ORDERS = ['created', 'name', 'status'] as const;
export type AccountOrder = (typeof ACCOUNT_ORDERS)[number];

export interface AccountFilters {
  /** A part of the name. */
  name?: string | undefined;
  /** A part of the comment. */
  comment?: string | undefined;
  /** The whole address of a login. */
  email?: string | undefined;
  status?: AccountRow['status'] | undefined;
  role?: AccountRole | undefined;
  /** The normalised plate of a vehicle in the custody of the account or of its customer. */
  plate?: string | undefined;
  /** The kennitala of a login, ten digits. */
  ssn?: string | undefined;
  /** The customer for which the account acts. */
  customer?: string | undefined;
}

/** The caller of a list, and the time of the call. */
export interface Asking {
  own: OwnRows;
  now: UtcTime;
}

interface PageOfAccounts {
  order: AccountOrder;
  cursor: Cursor | undefined;
  limit: number;
}

/** An account and its key in the list's order. */
export type ListedAccount = AccountRow & { nameKey: string };

/** Accounts in order, beyond a place: newest first; by name; or the active ones first, oldest first. */
export async function listAccounts(
  q: Queries,
  filters: AccountFilters,
  asking: Asking,
  { order, cursor, limit }: PageOfAccounts,
): Promise<ListedAccount[]> {
  const columns = columnsOf(order);
  const way = wayOf(order, cursor?.go ?? 'older');
  return await q
    .select()
    .from(t)
    .where(and(...conditions(filters, asking), cursor && beyond(columns, way, placeAt(cursor))))
    .orderBy(...inDirection(columns, way))
    .limit(limit);
}

/** How many there are, up to one more than are counted. */
export async function countAccounts(q: Queries, filters: AccountFilters, asking: Asking): Promise<number> {
  return await countRows(q, t, and(...conditions(filters, asking)));
}

/** The place of an account in that order. */
export function placeOf(order: AccountOrder): (account: ListedAccount) => Place {
  return ({ id, nameKey, createdAt, status }) => ({
    rank: order === 'status' && status === 'active' ? ACTIVE_RANK : 0,
    at: order === 'name' ? nameKey : createdAt,
    id,
  });
}

/** The customers for which accounts act. */
export async function customersOf(q: Queries, accounts: readonly AccountRow[]): Promise<CustomerRow[]> {
  const ids = accounts.map(({ customerId }) => customerId).filter((id) => id !== null);
  if (ids.length === 0) return [];
  return await q.select().from(customerTable).where(inArray(customerTable.id, ids));
}

/** Kiosks, which have a token in place of an account; newest first. */
export async function listKiosks(q: Queries, limit: number) {
  return await q
    .select({ id: tokenTable.id, name: tokenTable.name, createdAt: tokenTable.createdAt })
    .from(tokenTable)
    .where(and(isNotNull(tokenTable.name), eq(tokenTable.role, 'kiosk'), isNull(tokenTable.revokedAt)))
    .orderBy(...inDirection({ at: tokenTable.createdAt, id: tokenTable.id }, 'older'))
    .limit(limit);
}

function columnsOf(order: AccountOrder): ListOrder {
  switch (order) {
    case 'created':
      return { at: t.createdAt, id: t.id };
    case 'name':
      return { at: t.nameKey, id: t.id };
    case 'status':
      return { rank: sql`${t.status}`, at: t.createdAt, id: t.id };
    default:
      return order satisfies never;
  }
}

/** All but the usual order go upwards, from A to Z: what is on the next page is greater there. */
function wayOf(order: AccountOrder, go: Cursor['go']): Cursor['go'] {
  if (order === 'created') return go;
  return go === 'older' ? 'newer' : 'older';
}

/** How a cursor names the status of its place. */
const ACTIVE_RANK = 1;

function placeAt({ rank, at, id }: Cursor) {
  return { rank: rank === ACTIVE_RANK ? 'active' : 'inactive', at, id };
}

function conditions(filters: AccountFilters, { own, now }: Asking): (SQL | undefined)[] {
  const { name, comment, email, status, role, plate, ssn, customer } = filters;
  return [
    ownCondition(own),
    name === undefined ? undefined : contains(t.nameFolded, name),
    comment === undefined ? undefined : contains(t.commentKey, comment),
    email === undefined ? undefined : hasLogin(eq(loginTable.name, loginName(email))),
    status === undefined ? undefined : eq(t.status, status),
    role === undefined ? undefined : eq(t.role, role),
    plate === undefined ? undefined : hasVehicle(plate, now),
    ssn === undefined ? undefined : hasLogin(eq(loginTable.ssn, ssn)),
    customer === undefined ? undefined : eq(t.customerId, customer),
  ];
}

function ownCondition(own: OwnRows): SQL | undefined {
  if (own.all) return undefined;
  return own.customerId === null
    ? eq(t.id, own.author.slice(ACCOUNT_AUTHOR.length))
    : eq(t.customerId, own.customerId);
}

function hasLogin(which: SQL): SQL {
  return inArray(t.id, sql`(SELECT ${loginTable.accountId} FROM ${loginTable} WHERE ${which})`);
}

function hasVehicle(plate: string, now: UtcTime): SQL | undefined {
  const c = custodianTable;
  const custody = sql`FROM ${c}
    JOIN ${vehicleTable} ON ${vehicleTable.id} = ${c.vehicleId}
    WHERE ${vehicleTable.plate} = ${plate} AND ${c.status} = 'active'
      AND ${c.dateFrom} <= ${now} AND (${c.dateTo} IS NULL OR ${c.dateTo} > ${now})`;
  return or(
    inArray(t.id, sql`(SELECT ${c.accountId} ${custody})`),
    inArray(t.customerId, sql`(SELECT ${c.customerId} ${custody})`),
  );
}
