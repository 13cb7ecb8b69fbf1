import { MINUTE_MS } from '@hlid/protocol/base/durations';
import type { Language } from '@hlid/protocol/base/language';
import { PAYMENT_REASON_WORDS } from '@hlid/protocol/base/mistakes/payment-reasons/payment-reason-words';
import { paymentReasonText } from '@hlid/protocol/base/mistakes/payment-words';
import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import type { InvoiceStatus } from '@hlid/protocol/records/invoice';
import type { PaymentState } from '@hlid/protocol/records/payment';
import { findPayment } from '../../money/payments/find-payment.ts';
import { findKioskOrder, type KioskOrderRow } from '../../money/payments/kiosk-orders.ts';
import type { PaymentRow } from '../../money/payments/payment-store.ts';
import type { Queries } from '../../platform/db/db.ts';
import type { PosStatus } from './kiosk.ts';

/** How the invoice of a payment stands by the payment's state. */
export const INVOICE_OF_STATE: Record<PaymentState, InvoiceStatus> = {
  created: 'draft',
  sent: 'draft',
  approved: 'draft',
  unknown: 'incomplete',
  settled: 'paid',
  reversed: 'refunded',
  declined: 'failed',
  cancelled: 'failed',
};

/** The result of a card payment that a kiosk ordered; null: no kiosk did. */
export async function posStatus(
  q: Queries,
  id: string,
  { now, publicUrl }: { now: UtcTime; publicUrl: string },
): Promise<PosStatus | null> {
  const payment = await findPayment(q, id);
  if (payment !== null) return statusOfPayment(payment, publicUrl);
  const order = await findKioskOrder(q, id, now);
  return order && statusOfOrder(order, now);
}

function statusOfPayment(payment: PaymentRow, publicUrl: string): PosStatus {
  const { id, state, reason, language, receiptKey, amountMinor: amount, currency } = payment;
  const hasReceipt = receiptKey !== null && (state === 'settled' || state === 'reversed');
  const error = state === 'unknown' ? 'unknown' : state === 'settled' ? null : reason;
  return {
    receiptUrl: hasReceipt ? `${publicUrl}/receipt/${receiptKey}?lang=${language}` : null,
    receipt: receiptOf(state, error, language),
    invoice: { id, status: INVOICE_OF_STATE[state], price: { amount, currency } },
  };
}

/** Its site has not reported it: refused for certain, about to begin, or unknown. */
function statusOfOrder({ fault, at, language }: KioskOrderRow, now: UtcTime): PosStatus {
  if (fault !== null)
    return { receiptUrl: null, receipt: receiptOf('declined', fault, language), invoice: null };
  const isNew = millis(now) - millis(at) < MINUTE_MS;
  const receipt = isNew ? receiptOf('created', null, language) : receiptOf('unknown', 'unknown', language);
  return { receiptUrl: null, receipt, invoice: null };
}

function receiptOf(
  posStatus: PaymentState,
  posError: string | null,
  language: Language,
): PosStatus['receipt'] {
  const posErrorMessage =
    posError === null ? null : paymentReasonText(posError, PAYMENT_REASON_WORDS[language]);
  return { provider: 'terminal', data: { posStatus, posError, posErrorMessage } };
}
