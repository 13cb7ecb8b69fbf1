import { and, eq, gt, inArray, ne } from 'drizzle-orm';
import type { Queries } from '../db/db.ts';
import { type PaymentRow, writePayment } from './payment-store.ts';
import { paymentTable as t } from './payment-table.ts';

/** Writes an online payment, new or as it moves on. A terminal's payments come from its site (`ingestPayment`). */
export async function recordOnlinePayment(q: Queries, row: PaymentRow & { terminalId: null }): Promise<void> {
  await writePayment(q, row);
}

/** A payment of a visit that is under way at a terminal or online, and changed since a moment; null: no other is. */
export async function paymentUnderWay(
  q: Queries,
  visitId: string,
  since: string,
  except?: string,
): Promise<PaymentRow | null> {
  const [found] = await q
    .select()
    .from(t)
    .where(
      and(
        eq(t.visitId, visitId),
        inArray(t.state, ['created', 'sent', 'approved', 'unknown']),
        gt(t.changedAt, since),
        except === undefined ? undefined : ne(t.id, except),
      ),
    )
    .limit(1);
  return found ?? null;
}
