import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { invoiceGivenBack, invoiceRefundOpen } from '../../money/invoices/invoice-payment.ts';
import { chargebacksOf, chargedBackMinor } from '../../money/payments/chargebacks.ts';
import { findPayment } from '../../money/payments/find-payment.ts';
import { isOpenRefund, refundsOf } from '../../money/payments/refunds.ts';
import type { Tx } from '../../platform/db/db.ts';
import { givenMinor } from './online-payment-store.ts';

/**
 * Brings the credit notes of a payment to the amount that has gone back: refunds that were given, and what
 * the bank of the card's holder holds or has kept. It also marks what may have gone back. No other place does
 * this, so the order of the reports does not count.
 */
export async function balanceBooks(tx: Tx, paymentId: string, at: UtcTime): Promise<void> {
  const payment = await findPayment(tx.q, paymentId);
  if (payment?.state !== 'settled' && payment?.state !== 'reversed') return;
  const refunds = await refundsOf(tx.q, paymentId);
  const refunded = payment.state === 'reversed' ? payment.amountMinor : givenMinor(refunds);
  const chargedBack = chargedBackMinor(await chargebacksOf(tx.q, [paymentId]));
  await invoiceGivenBack(tx, payment, refunded + chargedBack, at);
  // The site itself reports what of a terminal's payment is open.
  if (payment.terminalId !== null) return;
  const open = refunds.filter(isOpenRefund).reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  await invoiceRefundOpen(tx, payment, open, at);
}
