import { and, eq, gte, inArray, isNull } from 'drizzle-orm';
import type { Queries, Tx } from '../db/db.ts';
import { FOR_PERSON, type PaymentRow } from './payment-store.ts';
import { paymentTable as t } from './payment-table.ts';

/** Whether it is a payment of what had been settled before. */
export async function markSettledTwice(q: Queries, id: string, settledTwice: boolean): Promise<void> {
  await q.update(t).set({ settledTwice }).where(eq(t.id, id));
}

/** Announced when online payments have something to do. */
export const ONLINE_WORK = 'online-payments';

/** Of these settlements, online payments go back: the site has taken the money for the same due. */
export async function markOnlineSettledTwice(tx: Tx, settlementIds: readonly string[]): Promise<void> {
  const marked = await tx.q
    .update(t)
    .set({ settledTwice: true })
    .where(and(inArray(t.id, [...settlementIds]), isNull(t.terminalId), eq(t.state, 'settled')))
    .returning({ id: t.id });
  if (marked.length > 0) tx.announce(ONLINE_WORK);
}

/** Online payments of what a site has taken the money for too, and that nobody has begun to give back. */
export async function onlineSettledTwice(q: Queries): Promise<string[]> {
  const rows = await q
    .select({ id: t.id })
    .from(t)
    .where(
      and(
        ...[FOR_PERSON, eq(t.settledTwice, true), isNull(t.terminalId)],
        ...[eq(t.state, 'settled'), eq(t.needsPerson, false)],
      ),
    );
  return rows.map(({ id }) => id);
}

/** A person has seen to what was settled twice of a visit. */
export async function clearSettledTwice(q: Queries, visitId: string): Promise<void> {
  await q
    .update(t)
    .set({ settledTwice: false })
    .where(and(eq(t.visitId, visitId), eq(t.settledTwice, true)));
}

/** Payments of what had been settled, about which nobody was written to. */
export async function unmailedPayments(q: Queries, since: string): Promise<PaymentRow[]> {
  return await q
    .select()
    .from(t)
    .where(and(FOR_PERSON, eq(t.settledTwice, true), isNull(t.mailedAt), gte(t.changedAt, since)));
}

export async function markMailed(q: Queries, ids: readonly string[], mailedAt: string): Promise<void> {
  await q
    .update(t)
    .set({ mailedAt })
    .where(inArray(t.id, [...ids]));
}
