import { eq, getTableColumns, type SQL } from 'drizzle-orm';
import { customerTable } from '../customers/customer-table.ts';
import { eqPlaceholder } from '../db/compact-columns.ts';
import type { Queries } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import { type OwnRows, seesSite, sitesOf } from '../http/caller.ts';
import type { InvoiceRow, InvoiceWithCustomer } from './invoice-store.ts';
import { invoiceTable as t } from './invoice-table.ts';

/** An invoice that the caller may see. */
export async function findInvoice(q: Queries, id: string, own: OwnRows): Promise<InvoiceWithCustomer | null> {
  return await findOne(q, eq(t.id, id), own);
}

/** The same by its number. */
export async function findInvoiceByNumber(
  q: Queries,
  number: number,
  own: OwnRows,
): Promise<InvoiceWithCustomer | null> {
  return await findOne(q, eq(t.number, number), own);
}

async function findOne(q: Queries, condition: SQL, own: OwnRows): Promise<InvoiceWithCustomer | null> {
  const [invoice] = await q
    .select({ ...getTableColumns(t), customerName: customerTable.name })
    .from(t)
    .leftJoin(customerTable, eq(customerTable.id, t.customerId))
    .where(condition);
  if (invoice === undefined) return null;
  const isOwn = own.all
    ? sitesOf(own) === null || (invoice.siteId !== null && seesSite(own, invoice.siteId))
    : own.customerId !== null && invoice.customerId === own.customerId;
  return isOwn ? invoice : null;
}

const idOfCause = prepared((q) =>
  q.select({ id: t.id }).from(t).where(eqPlaceholder(t.cause, 'cause')).prepare(),
);

export async function hasInvoiceOf(q: Queries, cause: string): Promise<boolean> {
  return (await idOfCause(q).get({ cause })) !== undefined;
}

const byCause = prepared((q) => q.select().from(t).where(eqPlaceholder(t.cause, 'cause')).prepare());

/** The invoice that something made. */
export async function invoiceOfCause(q: Queries, cause: string): Promise<InvoiceRow | null> {
  return (await byCause(q).get({ cause })) ?? null;
}
