import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { and, asc, eq, gt, lte, sql } from '../../platform/db/sql.ts';
import { invoiceTable } from '../../records/invoices/invoice-table.ts';
import { kioskOrderTable, paymentTable } from '../../records/payments/payment-table.ts';
import { visitReceiptTable as t } from '../../records/receipts/visit-receipt-table.ts';
import { visitStepTable } from '../../records/visits/visit-table.ts';

/** An invoice as a receipt shows it. */
export type PaidInvoice = Awaited<ReturnType<typeof paidInvoices>>[number];

/** The invoices that were paid for a visit and not given back, oldest first. */
export async function paidInvoices(q: Queries, visitId: string) {
  const { id, number, issuedAt, lines, vat, amountMinor, currency } = invoiceTable;
  const { receiptType, receiptLastFour, tipMinor, openRefundMinor } = invoiceTable;
  const rows = await q
    .select({
      id,
      number,
      issuedAt,
      lines,
      vat,
      amountMinor,
      currency,
      tipMinor,
      openRefundMinor,
      receiptType,
      receiptLastFour,
      priceLines: paymentTable.lines,
    })
    .from(invoiceTable)
    // A payment at a card terminal and its invoice have the same id.
    .leftJoin(paymentTable, eq(paymentTable.id, invoiceTable.id))
    // Nearly all are paid: the visit leads, and `+` keeps the database from that index.
    .where(and(eq(invoiceTable.visitId, visitId), sql`+${invoiceTable.status} = 'paid'`))
    .orderBy(asc(invoiceTable.createdAt), asc(invoiceTable.id));
  return rows.flatMap(({ number: given, issuedAt: at, ...same }) =>
    given === null || at === null ? [] : [{ ...same, number: given, issuedAt: at }],
  );
}

/** Whether a visit was paid at a kiosk, or a card was asked for there. @param kiosk as history names it */
export async function hasPaidAt(q: Queries, visitId: string, kiosk: string): Promise<boolean> {
  const { visitId: visit, by } = visitStepTable;
  const step = await q
    .select({ by })
    .from(visitStepTable)
    .where(and(eq(visit, visitId), eq(by, kiosk)))
    .limit(1)
    .get();
  if (step !== undefined) return true;
  const order = await q
    .select({ by: kioskOrderTable.by })
    .from(kioskOrderTable)
    .where(and(eq(kioskOrderTable.visitId, visitId), eq(kioskOrderTable.by, kiosk)))
    .limit(1)
    .get();
  return order !== undefined;
}

/** When receipts of a visit were mailed after a moment, oldest first; older ones are forgotten. */
export async function receiptsSince(q: Queries, visitId: string, since: UtcTime): Promise<UtcTime[]> {
  await q.delete(t).where(and(eq(t.visitId, visitId), lte(t.at, since)));
  const rows = await q
    .select({ at: t.at })
    .from(t)
    .where(and(eq(t.visitId, visitId), gt(t.at, since)))
    .orderBy(asc(t.at));
  return rows.map(({ at }) => at);
}

export async function insertReceipt(q: Queries, row: typeof t.$inferSelect): Promise<void> {
  await q.insert(t).values(row);
}
