import { audit } from '../../people/audit/audit.ts';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { and, eq, isNotNull, isNull } from '../../platform/db/sql.ts';
import type { Actor } from '../../platform/http/caller.ts';
import { type ChargeRow, chargeTable as t } from '../../records/invoices/charge-table.ts';
import type { InvoiceLine } from '../../records/invoices/invoice-table.ts';
import { deleteWaitingInvoices, standingNumbers } from './invoice-store.ts';

/** A settlement of a visit that has come to no invoice. */
export interface WithdrawnSettlement {
  /** The cause, as in invoice-settlement.ts. */
  cause: string;
  paymentStatus: 'company-invoice' | 'owner-invoice';
  units: number;
  amountMinor: number;
  currency: string;
  at: string;
}

/**
 * Withdraws what was to be invoiced for a visit and has not been. This covers charges that wait for the
 * customer's next invoice, and invoices without a number, which wait for a person to name the payer. Issued
 * invoices stay.
 */
export async function withdrawSettlements(
  tx: Tx,
  actor: Actor,
  visitId: string,
): Promise<WithdrawnSettlement[]> {
  const charges = await withdrawCharges(tx.q, visitId);
  const waiting = await deleteWaitingInvoices(tx.q, visitId);
  for (const { id, cause, amountMinor, currency, paymentType } of waiting) {
    const before = { cause, visitId, amountMinor, currency, paymentType };
    await audit(tx, actor, {
      action: 'invoice.withdraw',
      subject: 'invoice',
      subjectId: id,
      before,
      after: null,
    });
  }
  return [
    // Fees are withdrawn with them, and were never counted as met.
    ...charges
      .filter(({ rule }) => rule === 'visit')
      .map(({ cause, units, amountMinor, currency, at }) => ({
        cause,
        paymentStatus: 'company-invoice' as const,
        units,
        amountMinor,
        currency,
        at,
      })),
    ...waiting.map(({ cause, lines, currency, createdAt, paymentType }) => ({
      cause,
      paymentStatus: paymentType === 'company-invoice' ? paymentType : ('owner-invoice' as const),
      units: sumOf(lines, 'units'),
      amountMinor: sumOf(lines, 'amountMinor'),
      currency,
      at: createdAt,
    })),
  ];
}

/** The numbers of the invoices that ask for a visit, or that were paid for it, and that were not refunded. */
export async function standingInvoices(q: Queries, visitId: string): Promise<number[]> {
  return await standingNumbers(q, visitId, await collectingInvoices(q, visitId));
}

/** The sum of the lines of visits, without fees. */
function sumOf(lines: readonly InvoiceLine[], field: 'units' | 'amountMinor'): number {
  return lines.reduce((sum, line) => sum + (line.rule === 'visit' ? line[field] : 0), 0);
}

/** Takes away what a customer owes for a visit and no invoice has collected. @returns what was taken away */
export async function withdrawCharges(q: Queries, visitId: string): Promise<ChargeRow[]> {
  return await q
    .delete(t)
    .where(and(eq(t.visitId, visitId), isNull(t.invoiceId)))
    .returning();
}

/** The invoices that have collected charges for a visit. */
export async function collectingInvoices(q: Queries, visitId: string): Promise<string[]> {
  const rows = await q
    .selectDistinct({ invoiceId: t.invoiceId })
    .from(t)
    .where(and(eq(t.visitId, visitId), isNotNull(t.invoiceId), isNull(t.creditedBy)));
  return rows.flatMap(({ invoiceId }) => (invoiceId === null ? [] : [invoiceId]));
}
