import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { mayBeRefunded, type PersonFinding } from '@hlid/protocol/rules/payment-transitions';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { and, asc, eq, isNotNull, isNull, lt, or } from '../../platform/db/sql.ts';
import { withOpenReversal } from '../../records/payments/open-reversal.ts';
import { paymentTable as t } from '../../records/payments/payment-table.ts';
import { invoiceRefundOpen } from '../invoices/invoice-payment.ts';
import { bookedMinor } from './find-payment.ts';
import { FOR_PERSON, type PaymentRow } from './payment-store.ts';

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
  const openMinor = mayBeRefunded(withOpenReversal(payment)) ? bookedMinor(payment) : 0;
  await invoiceRefundOpen(tx, { id: payment.id, invoiceId: null }, openMinor, at);
}

/** Its site has answered that it does not know the payment. @returns whether that is new */
export async function markSiteLost(tx: Tx, id: string, at: UtcTime): Promise<boolean> {
  const [payment] = await tx.q
    .update(t)
    .set({ siteLostAt: at })
    .where(and(eq(t.id, id), isNull(t.siteLostAt), NEEDS_ITS_SITE))
    .returning();
  return payment !== undefined;
}

/** Its site knows the payment, after all. */
export async function clearSiteLost(tx: Tx, id: string): Promise<void> {
  await tx.q
    .update(t)
    .set({ siteLostAt: null })
    .where(and(eq(t.id, id), isNotNull(t.siteLostAt)));
}

/** A person found it out; a later report of the site is compared with it. */
export async function noteFinding(q: Queries, id: string, finding: PersonFinding): Promise<void> {
  await q.update(t).set({ finding }).where(eq(t.id, id));
}

/** Payments at a terminal: their site alone can report their outcome. */
const NEEDS_ITS_SITE = and(
  isNotNull(t.terminalId),
  or(isNotNull(t.reversalOrderedAt), eq(t.needsPerson, true)),
);

/**
 * Payments at terminals about which a site is asked, the oldest first. They are those with an order that left
 * before that time and has no answer. They are also those that need a person and have no report of the site
 * since the other time.
 */
export async function paymentsToAskFor(
  q: Queries,
  orderedBefore: UtcTime,
  changedBefore: UtcTime,
): Promise<PaymentRow[]> {
  return await q
    .select()
    .from(t)
    .where(
      and(
        FOR_PERSON,
        NEEDS_ITS_SITE,
        or(
          lt(t.reversalOrderedAt, orderedBefore),
          and(isNull(t.reversalOrderedAt), lt(t.changedAt, changedBefore)),
        ),
      ),
    )
    .orderBy(asc(t.createdAt));
}
