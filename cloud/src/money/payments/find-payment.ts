import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { eqPlaceholder } from '../../platform/db/sql.ts';
import { withOpenReversal } from '../../records/payments/open-reversal.ts';
import { paymentTable as t } from '../../records/payments/payment-table.ts';
import type { PaymentRow } from './payment-store.ts';

const byId = prepared((q) => q.select().from(t).where(eqPlaceholder(t.id, 'id')).prepare());

export async function findPayment(q: Queries, id: string): Promise<PaymentRow | null> {
  const row = await reportedPayment(q, id);
  return row && withOpenReversal(row);
}

/** The payment as its site has reported it, without what the cloud has ordered. */
export async function reportedPayment(q: Queries, id: string): Promise<PaymentRow | null> {
  return (await byId(q).get({ id })) ?? null;
}

const byReceiptKey = prepared((q) => q.select().from(t).where(eqPlaceholder(t.receiptKey, 'key')).prepare());

export async function paymentOfReceipt(q: Queries, key: string): Promise<PaymentRow | null> {
  return (await byReceiptKey(q).get({ key })) ?? null;
}

/** The amount that was booked on the card, with the tip. */
export function bookedMinor({ amountMinor, transaction }: Pick<PaymentRow, 'amountMinor' | 'transaction'>) {
  return amountMinor + (transaction?.tipMinor ?? 0);
}
