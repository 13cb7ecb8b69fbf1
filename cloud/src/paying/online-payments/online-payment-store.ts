import { findPayment } from '../../money/payments/find-payment.ts';
import type { PaymentRow } from '../../money/payments/payment-store.ts';
import { type RefundRow, refundedOrOrdered } from '../../money/payments/refunds.ts';
import type { GatewayOrder } from '../../platform/card-gateways/gateway.ts';
import type { Queries } from '../../platform/db/db.ts';
import { and, eq, sql } from '../../platform/db/sql.ts';
import type { Held } from '../../platform/jobs/work-queue.ts';
import {
  paymentQueue,
  onlineRefundTable as r,
  refundQueue,
  onlinePaymentTable as t,
} from '../../records/online-payments/online-payment-table.ts';

export type OnlinePaymentRow = typeof t.$inferSelect;

/** An online payment: its row in the journal of all payments, and what only online payments have. */
export interface OnlinePayment {
  payment: PaymentRow & { terminalId: null };
  online: OnlinePaymentRow;
}

export async function findOnlinePayment(q: Queries, id: string): Promise<OnlinePayment | null> {
  const payment = await findPayment(q, id);
  if (payment === null || payment.terminalId !== null) return null;
  const online = await q.select().from(t).where(eq(t.id, id)).get();
  return online === undefined ? null : { payment: { ...payment, terminalId: null }, online };
}

/** A payment that a gateway has booked, by the provider's id of it. */
export async function findBooked(
  q: Queries,
  gatewayId: string,
  transactionId: string,
): Promise<OnlinePayment | null> {
  const [found] = await q
    .select({ id: t.id })
    .from(t)
    // The expression matches the index's own, so that SQLite uses it.
    .where(and(eq(t.gatewayId, gatewayId), eq(sql`(booking ->> '$.transactionId')`, transactionId)))
    .limit(1);
  return found === undefined ? null : await findOnlinePayment(q, found.id);
}

export async function insertOnlinePayment(q: Queries, row: OnlinePaymentRow): Promise<void> {
  await q.insert(t).values(row);
}

export async function updateOnlinePayment(
  q: Queries,
  id: string,
  fields: Partial<Omit<OnlinePaymentRow, 'id'>>,
): Promise<void> {
  await q.update(t).set(fields).where(eq(t.id, id));
}

/**
 * Takes a step before the charge, unless another request has taken one meanwhile.
 *
 * @returns whether it is taken
 */
export async function takeStep(
  q: Queries,
  { id, revision }: Pick<OnlinePaymentRow, 'id' | 'revision'>,
  fields: Partial<Omit<OnlinePaymentRow, 'id' | 'revision'>>,
): Promise<boolean> {
  const taken = await q
    .update(t)
    .set({ ...fields, revision: revision + 1 })
    .where(and(eq(t.id, id), eq(t.revision, revision)))
    .returning({ id: t.id });
  return taken.length > 0;
}

export async function insertRefund(q: Queries, row: RefundRow): Promise<void> {
  // The whole refund of a payment has one id: who orders it again tries it again.
  await q
    .insert(r)
    .values(row)
    .onConflictDoUpdate({
      target: r.id,
      set: { state: 'ordered', dueAt: row.dueAt, doneAt: null },
      setWhere: eq(r.state, 'not-possible'),
    });
}

/** The amount of a payment that has certainly gone back. */
export function givenMinor(refunds: readonly RefundRow[]): number {
  const given = refunds.filter(({ state }) => state === 'refunded');
  return given.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/**
 * The amount of a booking that has certainly not gone back. @param except a refund that does not count, since
 * it is to be sent now
 */
export function leftOf(
  booking: { amountMinor: number } | null,
  refunds: readonly RefundRow[],
  except?: string,
): number {
  return (booking?.amountMinor ?? 0) - refundedOrOrdered(refunds.filter(({ id }) => id !== except));
}

export async function findRefund(q: Queries, id: string): Promise<RefundRow | null> {
  return (await q.select().from(r).where(eq(r.id, id)).get()) ?? null;
}

export async function updateRefund(
  q: Queries,
  id: string,
  fields: Partial<Omit<RefundRow, 'id'>>,
): Promise<void> {
  await q.update(r).set(fields).where(eq(r.id, id));
}

export async function deleteRefund(q: Queries, id: string): Promise<void> {
  await q.delete(r).where(eq(r.id, id));
}

/**
 * Changes a payment that this process has leased, or charges.
 *
 * @returns whether no other process has taken it meanwhile; else nothing is changed
 */
export async function updateLeasedPayment(
  q: Queries,
  id: string,
  lease: Held,
  fields: Partial<Omit<OnlinePaymentRow, 'id'>>,
): Promise<boolean> {
  const isOurs = await paymentQueue.holds(q, id, lease);
  if (isOurs) await updateOnlinePayment(q, id, fields);
  return isOurs;
}

/** The same of a refund. */
export async function updateLeasedRefund(
  q: Queries,
  id: string,
  lease: Held,
  fields: Partial<Omit<RefundRow, 'id'>>,
): Promise<boolean> {
  const isOurs = await refundQueue.holds(q, id, lease);
  if (isOurs) await updateRefund(q, id, fields);
  return isOurs;
}

/** A payment as its gateway knows it. */
export function orderOf({ payment, online }: OnlinePayment): GatewayOrder {
  const { id, amountMinor, currency, language, createdAt } = payment;
  return { id, amountMinor, currency, language, email: online.email, createdAt };
}
