import { REVERSAL_ORDERED } from '@hlid/protocol/rules/payment-transitions';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { and, eq, gte, inArray, isNull, ne, notExists, or } from '../../platform/db/sql.ts';
import { chargebackTable as c } from '../../records/payments/chargeback-table.ts';
import { paymentTable as t } from '../../records/payments/payment-table.ts';
import { FOR_PERSON, type PaymentRow } from './payment-store.ts';

/** Sets or clears the mark of a payment for a visit that had been settled before. */
export async function markSettledTwice(q: Queries, id: string, settledTwice: boolean): Promise<void> {
  await q.update(t).set({ settledTwice }).where(eq(t.id, id));
}

/** Announced when online payments have something to do. */
export const ONLINE_WORK = 'online-payments';

/**
 * Marks the online payments of these settlements for refund: the site has taken the money for the same due.
 */
export async function markOnlineSettledTwice(tx: Tx, settlementIds: readonly string[]): Promise<void> {
  const marked = await tx.q
    .update(t)
    .set({ settledTwice: true })
    .where(and(inArray(t.id, [...settlementIds]), isNull(t.terminalId), eq(t.state, 'settled')))
    .returning({ id: t.id });
  if (marked.length > 0) tx.announce(ONLINE_WORK);
}

/**
 * Online payments for a due that a site has taken the money for too, without a begun refund or a chargeback.
 */
export async function onlineSettledTwice(q: Queries): Promise<string[]> {
  const rows = await q
    .select({ id: t.id })
    .from(t)
    .where(
      and(
        FOR_PERSON,
        eq(t.settledTwice, true),
        isNull(t.terminalId),
        eq(t.state, 'settled'),
        eq(t.needsPerson, false),
        notExists(
          q
            .select({ id: c.paymentId })
            .from(c)
            .where(and(eq(c.paymentId, t.id), inArray(c.state, ['open', 'lost']))),
        ),
      ),
    );
  return rows.map(({ id }) => id);
}

/** Clears the marks of a visit's payments: a person has resolved them. */
export async function clearSettledTwice(q: Queries, visitId: string): Promise<void> {
  await q
    .update(t)
    .set({ settledTwice: false })
    .where(and(eq(t.visitId, visitId), eq(t.settledTwice, true)));
}

/** Payments that a person must resolve in the offices, and for which no mail was sent. */
export async function unmailedPayments(q: Queries, since: string): Promise<PaymentRow[]> {
  return await q
    .select()
    .from(t)
    .where(
      and(
        FOR_PERSON,
        isNull(t.mailedAt),
        gte(t.changedAt, since),
        // A terminal's other problems are for its site, and a refund that was just ordered is for its provider.
        or(eq(t.settledTwice, true), and(isNull(t.terminalId), ne(t.reason, REVERSAL_ORDERED))),
      ),
    );
}

export async function markMailed(q: Queries, ids: readonly string[], mailedAt: string): Promise<void> {
  await q
    .update(t)
    .set({ mailedAt })
    .where(inArray(t.id, [...ids]));
}
