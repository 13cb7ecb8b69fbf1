import type { UtcTime } from '@hlid/protocol/utc-time';
import { and, asc, inArray, isNotNull, lt, or } from 'drizzle-orm';
import type { Db } from '../db/db.ts';
import { paymentTable as t } from '../payments/payment-table.ts';
import { eraseBookings } from './erase-online-payers.ts';
import { logErased, retentionActor } from './retention-log.ts';

/** Takes cards and slips off payments that bookkeeping law no longer asks for; their receipts are read no more. */
export async function erasePaymentCards(
  db: Db,
  { before, now }: { before: UtcTime; now: UtcTime },
  limit: number,
): Promise<number> {
  return await db.write(async (tx) => {
    const old = tx.q
      .select({ id: t.id })
      .from(t)
      .where(and(lt(t.createdAt, before), or(isNotNull(t.receiptKey), isNotNull(t.transaction))))
      .orderBy(asc(t.createdAt))
      .limit(limit);
    const nameless = { transaction: null, chargeback: null, receipt: [], receiptKey: null };
    const erased = await tx.q.update(t).set(nameless).where(inArray(t.id, old)).returning({ id: t.id });
    await eraseBookings(
      tx.q,
      erased.map(({ id }) => id),
    );
    await logErased(tx, { kind: 'payment-card', rows: erased.length, before }, retentionActor(now));
    return erased.length;
  });
}
