import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { mayHaveGoneBack } from '@hlid/protocol/rules/payment-transitions';
import { and, asc, eq, isNotNull, lt } from 'drizzle-orm';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { paymentTable as t } from '../../records/payments/payment-table.ts';
import { invoiceRefundOpen } from '../invoices/invoice-payment.ts';
import { bookedMinor } from './find-payment.ts';
import { withOpenReversal } from './open-reversal.ts';
import type { PaymentRow } from './payment-store.ts';

/** The cloud's order to reverse a payment leaves now. */
export async function openReversal(tx: Tx, payment: PaymentRow, at: UtcTime): Promise<void> {
  await tx.q.update(t).set({ reversalOrderedAt: at }).where(eq(t.id, payment.id));
  await showOpenRefund(tx, { ...payment, reversalOrderedAt: at }, at);
}

/** The site has answered the order of that time. A later order stays open. */
export async function closeReversal(tx: Tx, id: string, orderedAt: UtcTime, at: UtcTime): Promise<void> {
  const [payment] = await tx.q
    .update(t)
    .set({ reversalOrderedAt: null })
    .where(and(eq(t.id, id), eq(t.reversalOrderedAt, orderedAt)))
    .returning();
  if (payment !== undefined) await showOpenRefund(tx, payment, at);
}

/** The invoice of a payment shows how much of it may have gone back. */
export async function showOpenRefund(tx: Tx, payment: PaymentRow, at: UtcTime): Promise<void> {
  const openMinor = mayHaveGoneBack(withOpenReversal(payment)) ? bookedMinor(payment) : 0;
  await invoiceRefundOpen(tx, { id: payment.id, invoiceId: null }, openMinor, at);
}

/** Payments with an order that left before that time and has no answer, the oldest order first. */
export async function unansweredReversals(q: Queries, before: UtcTime): Promise<PaymentRow[]> {
  return await q
    .select()
    .from(t)
    .where(and(isNotNull(t.reversalOrderedAt), lt(t.reversalOrderedAt, before)))
    .orderBy(asc(t.reversalOrderedAt));
}
