import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { InvoiceStatus, RemoteStatus } from '@hlid/protocol/records/invoice';
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { listed } from '../../platform/db/compact-columns.ts';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { preparedInsert } from '../../platform/db/prepared-insert.ts';
import {
  and,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  or,
  type SQL,
  sql,
  unindexed,
} from '../../platform/db/sql.ts';
import { beyond, inDirection, type ListOrder } from '../../platform/http/keyset.ts';
import type { Cursor, Place } from '../../platform/http/list-envelope.ts';
import { countRows, ofSites } from '../../platform/http/list-rows.ts';
import { customerTable } from '../../records/customers/customer-table.ts';
import { chargeTable } from '../../records/invoices/charge-table.ts';
import { invoiceSeriesTable, invoiceTable as t } from '../../records/invoices/invoice-table.ts';
import { visitTable } from '../../records/visits/visit-table.ts';

export type InvoiceRow = typeof t.$inferSelect;

/** An invoice, and what its customer was called when it was issued; until then, what the customer is called. */
export interface InvoiceWithCustomer extends InvoiceRow {
  customerName: string | null;
  /** The number of what it takes back. */
  creditOfNumber: number | null;
}

/** The other rows that lists and readers of one invoice show. */
export const credited = alias(t, 'credited');
export const customerNameOf = sql<
  string | null
>`coalesce(${t.soldTo}, iif(${t.number} IS NULL, ${customerTable.name}, NULL))`;

/** An invoice in a list. */
export type ListedInvoice = Omit<InvoiceWithCustomer, 'lines' | 'incomeParts' | 'cause'>;

/** The filters of a list. */
export interface InvoiceFilters {
  /** Whether only invoices that wait for an operator to name the payer are shown. */
  waiting?: boolean | undefined;
  lastFour?: string | undefined;
  payerSsn?: string | undefined;
  customerId?: string | undefined;
  /** The remote status, which only issued invoices have. */
  remoteStatus?: RemoteStatus | undefined;
  /** The publishing status, which only invoices for the publishing system have. */
  publishStatus?: RemoteStatus | undefined;
  status?: InvoiceStatus | undefined;
  from?: string | undefined;
  before?: string | undefined;
  number?: number | undefined;
  /** The plate of a visit on the invoice. */
  plateFolded?: string | undefined;
  siteId?: string | undefined;
  /** Null: of every site, and those of several. */
  siteIds?: readonly string[] | null;
}

/** Newest first, oldest first; the largest amount first, the smallest first. */
export const INVOICE_ORDERS = ['newest', 'oldest', '-amount', 'amount'] as const;
export type InvoiceOrder = (typeof INVOICE_ORDERS)[number];

const ORDERS: Record<InvoiceOrder, ListOrder> = {
  newest: { at: t.createdAt, id: t.id, byRow: true },
  oldest: { at: t.createdAt, id: t.id, byRow: true, upwards: true },
  '-amount': { at: t.amountMinor, id: t.id, byRow: true },
  amount: { at: t.amountMinor, id: t.id, byRow: true, upwards: true },
};

const isByAmount = (order: InvoiceOrder) => order === 'amount' || order === '-amount';

/** The place of an invoice in that order. */
export function placeOfInvoice(order: InvoiceOrder): (row: ListedInvoice) => Place {
  return ({ id, createdAt, amountMinor }) => ({
    rank: 0,
    at: isByAmount(order) ? String(amountMinor) : createdAt,
    id,
  });
}

const { lines: _lines, incomeParts: _parts, cause: _cause, ...listedColumns } = getTableColumns(t);

/** Invoices in order, beyond a place. */
export async function listInvoices(
  q: Queries,
  filters: InvoiceFilters,
  { order = 'newest', cursor, limit }: { order?: InvoiceOrder; cursor: Cursor | undefined; limit: number },
): Promise<ListedInvoice[]> {
  const go = cursor?.go ?? 'older';
  const by = ORDERS[order];
  const place = cursor && { ...cursor, at: isByAmount(order) ? Number(cursor.at) : cursor.at };
  return await q
    .select({
      ...listed(listedColumns),
      customerName: customerNameOf,
      creditOfNumber: credited.number,
    })
    .from(t)
    .leftJoin(customerTable, eq(customerTable.id, t.customerId))
    .leftJoin(credited, eq(credited.id, t.creditOf))
    .where(and(invoiceConditions(filters), place && beyond(by, go, place)))
    .orderBy(...inDirection(by, go))
    .limit(limit);
}

/** How many there are, up to one more than are counted. */
export async function countInvoices(q: Queries, filters: InvoiceFilters): Promise<number> {
  return await countRows(q, t, invoiceConditions(filters));
}

/**
 * Each has an index in the order of the list, and the first that is asked for leads through its own. Few wait. A number or
 * a plate leads to few invoices, which are sorted.
 */
export function invoiceConditions(filters: InvoiceFilters): SQL | undefined {
  const { waiting, lastFour, payerSsn, customerId, publishStatus, remoteStatus, status, from, before } =
    filters;
  const { number, plateFolded, siteId } = filters;
  const isFew = waiting === true || number !== undefined || plateFolded !== undefined;
  const createdAt = unindexed(t.createdAt, isFew && waiting !== true);
  const asked: (readonly [SQLiteColumn, string])[] = [];
  if (lastFour !== undefined) asked.push([t.receiptLastFour, lastFour]);
  if (payerSsn !== undefined) asked.push([t.payerSsn, payerSsn]);
  if (customerId !== undefined) asked.push([t.customerId, customerId]);
  if (publishStatus !== undefined) asked.push([t.publishStatus, publishStatus]);
  // Both together have one index.
  const accounting = !isFew && asked.length === 0 && remoteStatus !== undefined && status !== undefined;
  if (remoteStatus !== undefined) asked.push([t.remoteStatus, remoteStatus]);
  if (status !== undefined) asked.push([t.status, status]);
  if (siteId !== undefined) asked.push([t.siteId, siteId]);
  return and(
    ...asked.map(([column, value], index) =>
      eq(unindexed(column, isFew || index > (accounting ? 1 : 0)), value),
    ),
    number === undefined ? undefined : eq(t.number, number),
    plateFolded === undefined ? undefined : ofPlate(plateFolded),
    remoteStatus === undefined ? undefined : isNotNull(t.number),
    waiting
      ? and(isNull(t.issuedAt), sql`+${t.status} = 'draft'`, sql`+${t.paymentType} <> 'online'`)
      : undefined,
    from === undefined ? undefined : gte(createdAt, from),
    before === undefined ? undefined : lt(createdAt, before),
    ofSites(t.siteId, filters.siteIds ?? null),
  );
}

/** The invoices of visits of a plate, and those that collect what its visits were charged. */
function ofPlate(plateFolded: string): SQL {
  const visits = sql`SELECT ${visitTable.id} FROM ${visitTable} WHERE ${eq(visitTable.plateFolded, plateFolded)}`;
  return sql`${t.id} IN (SELECT own.id FROM ${t} own WHERE own.visit_id IN (${visits})
    UNION ALL SELECT ${chargeTable.invoiceId} FROM ${chargeTable}
      WHERE ${chargeTable.visitId} IN (${visits}) AND ${chargeTable.invoiceId} IS NOT NULL)`;
}

const insert = preparedInsert(t);

export async function insertInvoice(q: Queries, row: InvoiceRow): Promise<void> {
  await insert(q, row);
}

export async function updateInvoiceRow(q: Queries, row: InvoiceRow): Promise<void> {
  await q.update(t).set(row).where(eq(t.id, row.id));
}

const waitingForOwner = prepared((q) =>
  q
    .select()
    .from(t)
    .where(
      and(
        // Few invoices wait.
        isNull(t.issuedAt),
        sql`+${t.status} = 'draft'`,
        sql`+${t.paymentType} = 'owner-invoice'`,
        or(
          eq(unindexed(t.visitId), sql.placeholder('visitId')),
          sql`instr(${t.lines}, ${sql.param(sql.placeholder('plate'))}) > 0`,
        ),
      ),
    )
    .orderBy(t.createdAt)
    .prepare(),
);

/** The owner invoices of a plate, or of a visit, that wait for an operator to name the payer. */
export async function waitingOwnerInvoices(
  q: Queries,
  plate: string,
  visitId: string | null,
): Promise<InvoiceRow[]> {
  const invoices = await waitingForOwner(q).all({ plate, visitId });
  return invoices.filter((one) => one.visitId === visitId || one.lines[0]?.plate === plate);
}

/**
 * Deletes the invoices of a visit that wait for their payer, and returns them. That of an online payment has
 * its payer.
 */
export async function deleteWaitingInvoices(q: Queries, visitId: string): Promise<InvoiceRow[]> {
  return await q
    .delete(t)
    .where(
      and(
        eq(t.visitId, visitId),
        // A visit has few.
        sql`+${t.status} = 'draft'`,
        isNull(t.issuedAt),
        isNull(t.number),
        ne(t.paymentType, 'online'),
      ),
    )
    .returning();
}

/** Ends purchases that a customer began before a moment and has not paid. */
export async function endPurchases(
  q: Queries,
  customerId: string,
  { before, now }: { before: UtcTime; now: UtcTime },
): Promise<void> {
  await q
    .update(t)
    .set({ status: 'failed', modifiedAt: now })
    .where(
      and(
        eq(t.customerId, customerId),
        lt(t.createdAt, before),
        sql`+${t.status} = 'draft' AND +${t.paymentType} = 'online'`,
        isNull(t.issuedAt),
        sql`+${t.visitId} IS NULL`,
      ),
    );
}

/** The numbers of invoices of a visit, paid ones too, or with one of these ids, that were not refunded. */
export async function standingNumbers(q: Queries, visitId: string, ids: string[]): Promise<number[]> {
  const rows = await q
    .select({ number: t.number })
    .from(t)
    .where(
      and(
        or(eq(t.visitId, visitId), inArray(t.id, ids)),
        isNotNull(t.number),
        isNull(t.creditOf),
        // A visit has few.
        sql`+${t.status} IN ('draft', 'paid', 'incomplete')`,
      ),
    )
    .orderBy(t.number);
  return rows.flatMap(({ number }) => (number === null ? [] : [number]));
}

/** A number in the series of a seller. */
export interface InvoiceNumber {
  series: number;
  number: number;
}

/** The number of what a seller issues in this transaction: a rollback gives it back. @param seller see `sellerKey` */
export async function nextNumber(q: Queries, seller: string): Promise<InvoiceNumber> {
  const [given] = await q
    .insert(invoiceSeriesTable)
    .values({ seller, last: 1 })
    .onConflictDoUpdate({
      target: invoiceSeriesTable.seller,
      set: { last: sql`${invoiceSeriesTable.last} + 1` },
    })
    .returning({ series: invoiceSeriesTable.id, number: invoiceSeriesTable.last });
  if (given === undefined) throw new Error('an upsert returns its row');
  return given;
}

/** The same of a series that is there. */
export async function nextNumberIn(q: Queries, series: number): Promise<InvoiceNumber> {
  const [given] = await q
    .update(invoiceSeriesTable)
    .set({ last: sql`${invoiceSeriesTable.last} + 1` })
    .where(eq(invoiceSeriesTable.id, series))
    .returning({ number: invoiceSeriesTable.last });
  if (given === undefined) throw new Error('a series stays');
  return { series, number: given.number };
}

/** The credit notes of an invoice, in the order of its numbers. */
export async function creditNotesOf(q: Queries, invoiceId: string): Promise<InvoiceRow[]> {
  return await q.select().from(t).where(eq(t.creditOf, invoiceId)).orderBy(t.number);
}
