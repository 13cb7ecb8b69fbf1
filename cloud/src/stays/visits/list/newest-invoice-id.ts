import { sql } from '../../../platform/db/sql.ts';
import { chargeTable as charge } from '../../../records/invoices/charge-table.ts';
import { invoiceTable as invoice } from '../../../records/invoices/invoice-table.ts';
import { visitTable as visit } from '../../../records/visits/visit-table.ts';

/**
 * The invoice of the current visit: its own newest one that stands, else its own newest one, else the one
 * that collects what its customer owes for it. A visit that was paid twice and given back once is still paid.
 */
export const newestInvoiceId = sql`coalesce(
  (SELECT ${invoice.id} FROM ${invoice} WHERE ${invoice.visitId} = ${visit.id}
    AND +${invoice.creditOf} IS NULL AND +${invoice.status} NOT IN ('refunded', 'failed') ORDER BY ${invoice.createdAt} DESC LIMIT 1),
  (SELECT ${invoice.id} FROM ${invoice}
    WHERE ${invoice.visitId} = ${visit.id} AND +${invoice.creditOf} IS NULL ORDER BY ${invoice.createdAt} DESC LIMIT 1),
  (SELECT ${charge.invoiceId} FROM ${charge}
    WHERE ${charge.visitId} = ${visit.id} AND ${charge.creditedBy} IS NULL ORDER BY ${charge.at} DESC LIMIT 1))`;
