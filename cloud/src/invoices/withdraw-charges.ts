import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Queries } from '../db/db.ts';
import type { ChargeRow } from './add-charge.ts';
import { chargeTable as t } from './charge-table.ts';

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
    .where(and(eq(t.visitId, visitId), isNotNull(t.invoiceId)));
  return rows.flatMap(({ invoiceId }) => (invoiceId === null ? [] : [invoiceId]));
}
