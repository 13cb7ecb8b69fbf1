import type { Queries } from '../../platform/db/db.ts';
import { asc, eq } from '../../platform/db/sql.ts';
import {
  onlinePaymentTable,
  onlineRefundTable as r,
} from '../../records/online-payments/online-payment-table.ts';

export type RefundRow = typeof r.$inferSelect;

/** The number of refunds without an answer after which an operator is informed. The attempts continue. */
export const ATTEMPTS_BEFORE_PERSON = 10;

/** Whether it is not known yet if it was given. */
export function isOpenRefund({ state }: Pick<RefundRow, 'state'>): boolean {
  return state === 'ordered' || state === 'unclear';
}

/** The amount of a payment that has gone back, or may have. */
export function refundedOrOrdered(refunds: readonly Pick<RefundRow, 'state' | 'amountMinor'>[]): number {
  const standing = refunds.filter(({ state }) => state !== 'not-possible');
  return standing.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

export async function refundsOf(q: Queries, paymentId: string): Promise<RefundRow[]> {
  return await q.select().from(r).where(eq(r.paymentId, paymentId)).orderBy(asc(r.createdAt));
}

/** The amount that the provider of an online payment has booked; null: none. */
export async function bookedOnline(q: Queries, paymentId: string): Promise<number | null> {
  const { id, booking } = onlinePaymentTable;
  const found = await q.select({ booking }).from(onlinePaymentTable).where(eq(id, paymentId)).get();
  return found?.booking?.amountMinor ?? null;
}
