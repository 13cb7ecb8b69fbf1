import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { StoredToken } from '../../platform/card-gateways/gateway.ts';
import type { Queries } from '../../platform/db/db.ts';
import { and, asc, eq, inArray, isNotNull, lt, unindexed } from '../../platform/db/sql.ts';
import { onlinePaymentTable as t } from '../../records/online-payments/online-payment-table.ts';
import { paymentTable } from '../../records/payments/payment-table.ts';

/** A card that the provider has stored with a payment. */
export interface StoredCard {
  gatewayId: string;
  stored: StoredToken;
}

/** Takes the cards that were stored with payments out of them, each once. */
export async function takeStoredCards(q: Queries, paymentIds: readonly string[]): Promise<StoredCard[]> {
  if (paymentIds.length === 0) return [];
  const hasCard = and(inArray(t.id, [...paymentIds]), isNotNull(t.storedToken));
  const rows = await q.select({ gatewayId: t.gatewayId, stored: t.storedToken }).from(t).where(hasCard);
  await q.update(t).set({ storedToken: null }).where(hasCard);
  return rows.flatMap(({ gatewayId, stored }) => (stored === null ? [] : [{ gatewayId, stored }]));
}

/** Payments from before a moment with a stored card that no driver has taken, oldest first. */
export async function paymentsWithCard(q: Queries, before: UtcTime, limit: number): Promise<string[]> {
  // The plus keeps SQLite from reading all payments in order of time: few of them have a card, and those have
  // a separate index.
  const at = unindexed(paymentTable.createdAt);
  const rows = await q
    .select({ id: t.id })
    .from(t)
    .innerJoin(paymentTable, eq(paymentTable.id, t.id))
    .where(and(isNotNull(t.storedToken), lt(at, before)))
    .orderBy(asc(at))
    .limit(limit);
  return rows.map(({ id }) => id);
}
