import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { type PaymentSubject, paymentUnderWay } from '../../money/payments/record-payment.ts';
import type { Queries } from '../../platform/db/db.ts';
import { eq } from '../../platform/db/sql.ts';
import { payOrderTable as t } from '../../records/pay/pay-order-table.ts';

export type PayOrderRow = typeof t.$inferSelect;

export async function findPayOrder(q: Queries, key: string): Promise<PayOrderRow | null> {
  return (await q.select().from(t).where(eq(t.key, key)).get()) ?? null;
}

/** @returns the order that was stored under that key before; null: it is new, and stored now */
export async function insertPayOrder(q: Queries, row: PayOrderRow): Promise<PayOrderRow | null> {
  const known = await findPayOrder(q, row.key);
  if (known === null) await q.insert(t).values(row);
  return known;
}

export async function updatePayOrder(
  q: Queries,
  key: string,
  fields: Partial<Pick<PayOrderRow, 'reference' | 'cancelled'>>,
): Promise<void> {
  await q.update(t).set(fields).where(eq(t.key, key));
}

/** Whether money may be moving for a visit or an invoice: nothing else may be paid for it before that is known. */
export async function isUnderWayForOthers(
  q: Queries,
  subject: PaymentSubject,
  now: UtcTime,
): Promise<boolean> {
  const found = await paymentUnderWay(q, subject, now);
  return found !== null && found.state !== 'created';
}
