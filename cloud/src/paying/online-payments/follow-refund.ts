import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { type RefundRow, refundsOf } from '../../money/payments/refunds.ts';
import type { Tx } from '../../platform/db/db.ts';
import { balanceBooks } from './balance-books.ts';
import type { OnlineJournal } from './online-journal.ts';
import { findOnlinePayment, leftOf, updateRefund } from './online-payment-store.ts';

/**
 * Writes the end of a refund into the books. A part is a credit note; the whole reverses the payment, and so
 * does a part that leaves no rest. `isAll`: the provider gave back more than this refund was of, all that was
 * left.
 */
export async function followRefund(
  tx: Tx,
  journal: OnlineJournal,
  refund: RefundRow,
  { isDone, isAll }: { isDone: boolean; isAll: boolean },
  at: UtcTime,
): Promise<void> {
  const { id, paymentId, reason } = refund;
  const payment = await findOnlinePayment(tx.q, paymentId);
  if (payment === null) return;
  const { booking } = payment.online;
  const refunds = await refundsOf(tx.q, paymentId);
  const given = refunds.filter(({ state }) => state === 'refunded');
  const isRest = isDone && leftOf(booking, given) <= 0;
  if (!refund.isWhole && (isAll || isRest)) {
    const amountMinor = isAll ? leftOf(booking, refunds, id) : refund.amountMinor;
    await updateRefund(tx.q, id, { isWhole: true, amountMinor });
  } else if (!refund.isWhole) {
    await balanceBooks(tx, paymentId, at);
    await journal.applyIn(tx, paymentId, { kind: 'refund-known' }, at);
    return;
  }
  const outcome = isDone ? 'reversed' : 'not-possible';
  await journal.applyIn(tx, paymentId, { kind: 'reverse-answer', outcome, reason }, at);
  await balanceBooks(tx, paymentId, at);
}

/** It may have been given, and nothing more is known of it: a person looks at the provider. */
export async function refundNeedsPerson(
  tx: Tx,
  journal: OnlineJournal,
  { paymentId, reason }: Pick<RefundRow, 'paymentId' | 'reason'>,
  at: UtcTime,
): Promise<void> {
  const payment = await findOnlinePayment(tx.q, paymentId);
  // One that is not settled yet has its own way to a person.
  if (payment?.payment.state === 'approved') return;
  await journal.applyIn(tx, paymentId, { kind: 'reverse-answer', outcome: 'unknown', reason }, at);
}

/** A refund that was given came back, such as from an account that is closed: a person gives the money another way. */
export async function refundCameBack(
  tx: Tx,
  journal: OnlineJournal,
  refund: RefundRow,
  at: UtcTime,
): Promise<void> {
  const { id, paymentId, isWhole } = refund;
  const state = isWhole ? 'failed' : 'not-possible';
  await updateRefund(tx.q, id, { state, dueAt: null, doneAt: at, failedAt: at });
  await balanceBooks(tx, paymentId, at);
  await journal.applyIn(tx, paymentId, { kind: 'refund-failed' }, at);
}
