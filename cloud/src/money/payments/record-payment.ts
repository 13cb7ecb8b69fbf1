import { DAY_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { and, desc, eq, gt, inArray, ne } from '../../platform/db/sql.ts';
import { paymentTable as t } from '../../records/payments/payment-table.ts';
import { type PaymentRow, writePayment } from './payment-store.ts';

/** Writes an online payment, new or as it moves on. A terminal's payments come from its site (`ingestPayment`). */
export async function recordOnlinePayment(q: Queries, row: PaymentRow & { terminalId: null }): Promise<void> {
  await writePayment(q, row);
}

/** The object of a payment: one visit, or one invoice. */
export type PaymentSubject = Pick<PaymentRow, 'visitId' | 'invoiceId'>;

/** What has not moved for so long holds up no other payment. */
const UNDER_WAY_MS = DAY_MS;

/** A payment of the same that is under way at a terminal or online; null: no other is. */
export async function paymentUnderWay(
  q: Queries,
  subject: PaymentSubject,
  at: UtcTime,
  except?: string,
): Promise<PaymentRow | null> {
  return await unfinishedPayment(q, subject, utcTime(millis(at) - UNDER_WAY_MS), except);
}

/** A payment of the same of which the end is not known, and that changed since a moment; null: no other is. */
export async function unfinishedPayment(
  q: Queries,
  { visitId, invoiceId }: PaymentSubject,
  since: UtcTime,
  except?: string,
): Promise<PaymentRow | null> {
  const [found] = await q
    .select()
    .from(t)
    .where(
      and(
        invoiceId !== null ? eq(t.invoiceId, invoiceId) : eq(t.visitId, visitId ?? ''),
        inArray(t.state, ['created', 'sent', 'approved', 'unknown']),
        gt(t.changedAt, since),
        except === undefined ? undefined : ne(t.id, except),
      ),
    )
    .limit(1);
  return found ?? null;
}

/** The payment that has paid an invoice, and that was not given back; null: no card did. */
export async function settledPaymentOf(q: Queries, invoiceId: string): Promise<PaymentRow | null> {
  const [found] = await q
    .select()
    .from(t)
    .where(and(eq(t.invoiceId, invoiceId), eq(t.state, 'settled')))
    .orderBy(desc(t.createdAt))
    .limit(1);
  return found ?? null;
}
