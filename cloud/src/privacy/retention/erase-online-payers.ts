import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { orderToForgetUnclaimed } from '../../paying/drivers/forget-cards.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import { and, asc, eq, inArray, isNotNull, lt, or, sql } from '../../platform/db/sql.ts';
import { onlinePaymentTable as t } from '../../records/online-payments/online-payment-table.ts';
import { paymentTable } from '../../records/payments/payment-table.ts';
import { logErased, retentionActor } from './retention-log.ts';

/** The fields that identify the payer. The invoice keeps what bookkeeping law asks for, and `booking` a refund needs. */
const NAMELESS = {
  email: null,
  payerName: null,
  card: null,
  cardExpires: null,
  storedToken: null,
  gatewayState: {},
};

/** A payment that is open, or that a person must resolve, keeps its payer until it is over. */
const isOver = and(
  inArray(paymentTable.state, ['settled', 'declined', 'cancelled', 'reversed']),
  eq(paymentTable.needsPerson, false),
);

/**
 * Removes payers, cards and the stored state of gateways from online payments of before a moment, up to a
 * limit. The provider deletes a stored card that no account has taken. @returns the number of payments
 */
export async function eraseOnlinePayers(
  db: Db,
  { before, now }: { before: UtcTime; now: UtcTime },
  limit: number,
): Promise<number> {
  return await db.write(async (tx) => {
    const named = or(
      ...[t.email, t.payerName, t.card, t.storedToken].map((column) => isNotNull(column)),
      sql`${t.gatewayState} <> '{}'`,
    );
    const old = await tx.q
      .select({ id: t.id })
      .from(t)
      .innerJoin(paymentTable, eq(paymentTable.id, t.id))
      .where(and(lt(paymentTable.createdAt, before), isOver, named))
      .orderBy(asc(paymentTable.createdAt))
      .limit(limit);
    await clearPayers(
      tx.q,
      old.map(({ id }) => id),
      now,
    );
    await logErased(tx, { kind: 'online-payer', rows: old.length, before }, retentionActor(now));
    return old.length;
  });
}

/** The same of the payments of visits, however old they are. */
export async function eraseOnlinePayersOf(
  q: Queries,
  visitIds: readonly string[],
  now: UtcTime,
): Promise<void> {
  const payments = await q
    .select({ id: paymentTable.id })
    .from(paymentTable)
    .where(and(inArray(paymentTable.visitId, [...visitIds]), isOver));
  await clearPayers(
    q,
    payments.map(({ id }) => id),
    now,
  );
}

/** Takes the bookings too: bookkeeping law no longer asks for these payments. */
export async function eraseBookings(q: Queries, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) {
    await q
      .update(t)
      .set({ ...NAMELESS, booking: null })
      .where(inArray(t.id, [...ids]));
  }
}

async function clearPayers(q: Queries, ids: readonly string[], now: UtcTime): Promise<void> {
  if (ids.length === 0) return;
  await orderToForgetUnclaimed(q, ids, now);
  await q
    .update(t)
    .set(NAMELESS)
    .where(inArray(t.id, [...ids]));
}
