import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { and, asc, eq, isNotNull, lte, sql } from 'drizzle-orm';
import { findPayment } from '../../money/payments/find-payment.ts';
import type { PaymentRow } from '../../money/payments/payment-store.ts';
import type { GatewayOrder } from '../../platform/card-gateways/gateway.ts';
import type { Queries } from '../../platform/db/db.ts';
import {
  onlineRefundTable as r,
  onlinePaymentTable as t,
} from '../../records/online-payments/online-payment-table.ts';
import type { GatewayLease } from './gateway-lease.ts';

export type OnlinePaymentRow = typeof t.$inferSelect;
export type RefundRow = typeof r.$inferSelect;

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
    // As its index has it.
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

/** Payments that the resolver has to do something about, those that wait longest first. */
export async function duePayments(q: Queries, now: UtcTime, limit: number): Promise<string[]> {
  const rows = await q
    .select({ id: t.id })
    .from(t)
    .where(and(isNotNull(t.nextTryAt), lte(t.nextTryAt, now)))
    .orderBy(asc(t.nextTryAt))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** A process has a row until then. */
type Held = Pick<GatewayLease, 'until' | 'heldBy'>;

/** Takes a payment that is due, for so long. @returns whether no other process was faster */
export async function leasePayment(
  q: Queries,
  id: string,
  now: UtcTime,
  { until: nextTryAt, heldBy }: Held,
): Promise<boolean> {
  const taken = await q
    .update(t)
    .set({ nextTryAt, heldBy })
    .where(and(eq(t.id, id), lte(t.nextTryAt, now)))
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
      set: { state: 'ordered', nextTryAt: row.nextTryAt, doneAt: null },
      setWhere: eq(r.state, 'not-possible'),
    });
}

/** Whether it is not known yet if it was given. */
export function isOpenRefund({ state }: Pick<RefundRow, 'state'>): boolean {
  return state === 'ordered' || state === 'unclear';
}

/** What of a payment has gone back, or may have. */
export function refundedOrOrdered(refunds: readonly RefundRow[]): number {
  const standing = refunds.filter(({ state }) => state !== 'not-possible');
  return standing.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** What of a payment has certainly gone back. */
export function givenMinor(refunds: readonly RefundRow[]): number {
  const given = refunds.filter(({ state }) => state === 'refunded');
  return given.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** What of a booking has certainly not gone back. @param except a refund that does not count, since it is to be sent now */
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

export async function refundsOf(q: Queries, paymentId: string): Promise<RefundRow[]> {
  return await q.select().from(r).where(eq(r.paymentId, paymentId)).orderBy(asc(r.createdAt));
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

export async function dueRefunds(q: Queries, now: UtcTime, limit: number): Promise<RefundRow[]> {
  return await q
    .select()
    .from(r)
    .where(and(isNotNull(r.nextTryAt), lte(r.nextTryAt, now)))
    .orderBy(asc(r.nextTryAt))
    .limit(limit);
}

/** Takes a refund that is due, for so long. @returns whether no other process was faster */
export async function leaseRefund(
  q: Queries,
  id: string,
  now: UtcTime,
  { until: nextTryAt, heldBy }: Held,
): Promise<boolean> {
  const taken = await q
    .update(r)
    .set({ nextTryAt, heldBy })
    .where(and(eq(r.id, id), eq(r.state, 'ordered'), lte(r.nextTryAt, now)))
    .returning({ id: r.id });
  return taken.length > 0;
}

/**
 * Changes a payment that this process has leased, or charges.
 *
 * @param until the end of its lease, as it was stored
 * @returns whether no other process has taken it meanwhile; else nothing is changed
 */
export async function updateLeasedPayment(
  q: Queries,
  id: string,
  until: UtcTime,
  fields: Partial<Omit<OnlinePaymentRow, 'id'>>,
): Promise<boolean> {
  const updated = await q
    .update(t)
    .set(fields)
    .where(and(eq(t.id, id), eq(t.nextTryAt, until)))
    .returning({ id: t.id });
  return updated.length > 0;
}

/** The same of a refund. */
export async function updateLeasedRefund(
  q: Queries,
  id: string,
  until: UtcTime,
  fields: Partial<Omit<RefundRow, 'id'>>,
): Promise<boolean> {
  const updated = await q
    .update(r)
    .set(fields)
    .where(and(eq(r.id, id), eq(r.state, 'ordered'), eq(r.nextTryAt, until)))
    .returning({ id: r.id });
  return updated.length > 0;
}

/** Whether there is anything to do for the resolver. */
export async function isAnyDue(q: Queries, now: UtcTime): Promise<boolean> {
  return (await duePayments(q, now, 1)).length > 0 || (await dueRefunds(q, now, 1)).length > 0;
}

/** A payment as its gateway knows it. */
export function orderOf({ payment, online }: OnlinePayment): GatewayOrder {
  const { id, amountMinor, currency, language, createdAt } = payment;
  return { id, amountMinor, currency, language, email: online.email, createdAt };
}
