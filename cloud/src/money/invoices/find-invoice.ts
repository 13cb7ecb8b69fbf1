import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { and, eq, eqPlaceholder, getTableColumns, isNotNull, type SQL, sql } from '../../platform/db/sql.ts';
import { type OwnRows, seesSite, sitesOf } from '../../platform/http/caller.ts';
import { customerTable } from '../../records/customers/customer-table.ts';
import { invoiceTable as t } from '../../records/invoices/invoice-table.ts';
import { credited, customerNameOf, type InvoiceRow, type InvoiceWithCustomer } from './invoice-store.ts';

/** An invoice that the caller may see. */
export async function findInvoice(q: Queries, id: string, own: OwnRows): Promise<InvoiceWithCustomer | null> {
  return (await findThose(q, eq(t.id, id), own))[0] ?? null;
}

/** The same by a number, which every seller gives once. */
export async function findInvoicesByNumber(
  q: Queries,
  number: number,
  own: OwnRows,
): Promise<InvoiceWithCustomer[]> {
  return await findThose(q, eq(t.number, number), own);
}

async function findThose(q: Queries, condition: SQL, own: OwnRows): Promise<InvoiceWithCustomer[]> {
  const found = await q
    .select({ ...getTableColumns(t), customerName: customerNameOf, creditOfNumber: credited.number })
    .from(t)
    .leftJoin(customerTable, eq(customerTable.id, t.customerId))
    .leftJoin(credited, eq(credited.id, t.creditOf))
    .where(condition);
  return found.filter(({ siteId, customerId }) =>
    own.all
      ? sitesOf(own) === null || (siteId !== null && seesSite(own, siteId))
      : own.customerId !== null && customerId === own.customerId,
  );
}

const byId = prepared((q) => q.select().from(t).where(eqPlaceholder(t.id, 'id')).prepare());

/** An invoice as it is stored, whoever may see it. */
export async function invoiceById(q: Queries, id: string): Promise<InvoiceRow | null> {
  return (await byId(q).get({ id })) ?? null;
}

const paidOfVisit = prepared((q) =>
  q
    .select({ id: t.id })
    .from(t)
    // Nearly all are paid: the visit leads, and `+` keeps the database from that index.
    .where(and(eqPlaceholder(t.visitId, 'visitId'), sql`+${t.status} = 'paid'`, isNotNull(t.number)))
    .limit(1)
    .prepare(),
);

/** Whether something was paid for a visit and not given back. */
export async function hasPaidInvoice(q: Queries, visitId: string): Promise<boolean> {
  return (await paidOfVisit(q).get({ visitId })) !== undefined;
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
