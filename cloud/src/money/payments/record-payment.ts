import type { Queries } from '../../platform/db/db.ts';
import { and, desc, eq, gt, inArray, ne } from '../../platform/db/sql.ts';
import { paymentTable as t } from '../../records/payments/payment-table.ts';
import { type PaymentRow, writePayment } from './payment-store.ts';

/** Writes an online payment, new or as it moves on. A terminal's payments come from its site (`ingestPayment`). */
export async function recordOnlinePayment(q: Queries, row: PaymentRow & { terminalId: null }): Promise<void> {
  await writePayment(q, row);
}

/** The object of a payment: one visit, or one invoice. */
export type PaymentSubject = Pick<PaymentRow, 'visitId' | 'invoiceId'>;

/** A payment of the same that is under way at a terminal or online, and changed since a moment; null: no other is. */
export async function paymentUnderWay(
  q: Queries,
  { visitId, invoiceId }: PaymentSubject,
  since: string,
  except?: string,
): Promise<PaymentRow | null> {
  const [found] = await q
    .select()
    .from(t)
    .where(
      and(
        invoiceId !== null ? eq(t.invoiceId, invoiceId) : eq(t.visitId, visitId ?? ''),
        inArray(t.state, ['created', 'sent', 'approved', 'unknown']),
        gt(t.changedAt, since),
        except === undefined ? undefined : ne(t.id, except),
      ),
    )
    .limit(1);
  return found ?? null;
}

/** The payment that has paid an invoice, and that was not given back; null: no card did. */
export async function settledPaymentOf(q: Queries, invoiceId: string): Promise<PaymentRow | null> {
  const [found] = await q
    .select()
    .from(t)
    .where(and(eq(t.invoiceId, invoiceId), eq(t.state, 'settled')))
    .orderBy(desc(t.createdAt))
    .limit(1);
  return found ?? null;
}
