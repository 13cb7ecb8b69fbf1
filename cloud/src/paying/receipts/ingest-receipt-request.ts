import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { findPayment } from '../../money/payments/find-payment.ts';
import { cloudActor } from '../../people/audit/audit.ts';
import type { Tx } from '../../platform/db/db.ts';
import { ALL_ROWS } from '../../platform/http/caller.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import { queueVisitReceipt, type ReceiptRequest } from './mail-receipt.ts';

/** Mails the receipt that a driver asked for at a kiosk. @returns why not, or null */
export async function ingestReceiptRequest(
  tx: Tx,
  { siteId, at }: { siteId: string; at: UtcTime },
  { paymentId, email, language }: ReceiptRequest & { paymentId: string },
): Promise<string | null> {
  const payment = await findPayment(tx.q, paymentId);
  if (payment === null || payment.siteId !== siteId) return 'there is no such payment of the site';
  const visit = payment.visitId === null ? null : await findVisitRow(tx.q, payment.visitId, ALL_ROWS);
  if (visit === null) return 'there is no such visit of the site';
  // A payment that was given back meanwhile, or is asked for again and again, has no mail: that is no fault
  // of the event.
  await queueVisitReceipt(tx, cloudActor('kiosk', at), visit, { email, language });
  return null;
}
