import type { UtcTime } from '@hlid/protocol/utc-time';
import { cloudActor } from '../audit/audit.ts';
import type { Tx } from '../db/db.ts';
import { ALL_ROWS } from '../http/caller.ts';
import { findPayment } from '../payments/payment-store.ts';
import { findVisitRow } from '../visits/record/visit-store.ts';
import { queueReceipt, type ReceiptRequest } from './mail-receipt.ts';
import { paidInvoices } from './receipt-store.ts';

/** Mails the receipt that a driver asked for at a kiosk. @returns why not, or null */
export async function takeReceiptWish(
  tx: Tx,
  { siteId, at }: { siteId: string; at: UtcTime },
  { paymentId, email, language }: ReceiptRequest & { paymentId: string },
): Promise<string | null> {
  const payment = await findPayment(tx.q, paymentId);
  if (payment === null || payment.siteId !== siteId) return 'there is no such payment of the site';
  const visit = await findVisitRow(tx.q, payment.visitId, ALL_ROWS);
  if (visit === null) return 'there is no such visit of the site';
  const invoices = await paidInvoices(tx.q, visit.id);
  // What was given back meanwhile, or is asked for again and again, has no mail: that is no fault of the event.
  await queueReceipt(tx, cloudActor('kiosk', at), visit, invoices, { email, language });
  return null;
}
