import type { Queries } from '../../../platform/db/db.ts';
import { prepared } from '../../../platform/db/prepared.ts';
import { contains } from '../../../platform/db/search-key.ts';
import { and, eq, eqPlaceholder, gt, isNull, lt, or, type SQL, sql } from '../../../platform/db/sql.ts';
import type { OwnRows } from '../../../platform/http/caller.ts';
import { countRows, listRows, type PageOfRows } from '../../../platform/http/list-rows.ts';
import { customerTable } from '../../../records/customers/customer-table.ts';
import { type CustodianRow, custodianTable as t } from '../../../records/vehicles/custodian-table.ts';
import { vehicleTable } from '../../../records/vehicles/vehicle-table.ts';

export interface CustodianFilters {
  /** Normalised. */
  plate?: string | undefined;
  /** A vehicle's id. */
  vehicle?: string | undefined;
  /** A customer's id. */
  customer?: string | undefined;
  /** A part of the customer's name. */
  name?: string | undefined;
  /** The customer's. */
  ssn?: string | undefined;
  /** An account's id. */
  account?: string | undefined;
  /** Custody that lasts into this time. */
  from?: string | undefined;
  /** The end, which is not included. */
  before?: string | undefined;
}

const ORDER = { at: t.createdAt, id: t.id };

const rowById = prepared((q) => q.select().from(t).where(eqPlaceholder(t.id, 'id')).prepare());

/** A custody that the caller may see. */
export async function findCustodian(q: Queries, id: string, own: OwnRows): Promise<CustodianRow | null> {
  const row = await rowById(q).get({ id });
  return row !== undefined && (own.all || row.customerId === own.customerId) ? row : null;
}

/** Custodies in order, beyond a place. */
export async function listCustodians(
  q: Queries,
  filters: CustodianFilters,
  own: OwnRows,
  page: PageOfRows,
): Promise<CustodianRow[]> {
  return await listRows(q, t, ORDER, and(...conditions(filters, own)), page);
}

/** How many there are, up to one more than are counted. */
export async function countCustodians(q: Queries, filters: CustodianFilters, own: OwnRows): Promise<number> {
  return await countRows(q, t, and(...conditions(filters, own)));
}

export async function insertCustodian(q: Queries, row: CustodianRow): Promise<void> {
  await q.insert(t).values(row);
}

export async function updateCustodianRow(q: Queries, row: CustodianRow): Promise<void> {
  await q.update(t).set(row).where(eq(t.id, row.id));
}

function conditions(filters: CustodianFilters, own: OwnRows): (SQL | undefined)[] {
  const { plate, vehicle, customer, name, ssn, account, from, before } = filters;
  const customerIds = (where: SQL | undefined) =>
    sql`${t.customerId} IN (SELECT ${customerTable.id} FROM ${customerTable} WHERE ${where})`;
  return [
    own.all ? undefined : own.customerId === null ? sql`0` : eq(t.customerId, own.customerId),
    plate === undefined
      ? undefined
      : sql`${t.vehicleId} IN (SELECT ${vehicleTable.id} FROM ${vehicleTable} WHERE ${eq(vehicleTable.plate, plate)})`,
    vehicle === undefined ? undefined : eq(t.vehicleId, vehicle),
    customer === undefined ? undefined : eq(t.customerId, customer),
    name === undefined ? undefined : customerIds(contains(customerTable.nameKey, name)),
    ssn === undefined ? undefined : customerIds(eq(customerTable.ssn, ssn)),
    account === undefined ? undefined : eq(t.accountId, account),
    from === undefined ? undefined : or(isNull(t.dateTo), gt(t.dateTo, from)),
    before === undefined ? undefined : lt(t.dateFrom, before),
  ];
}
