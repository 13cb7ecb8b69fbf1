import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Db } from '../../platform/db/db.ts';
import {
  findEInvoice,
  queueEInvoice,
  requeueEInvoice,
  updateEInvoice,
} from '../../records/invoices/e-invoice-store.ts';
import type { EInvoiceBuyer } from '../../records/invoices/e-invoice-table.ts';
import { findPaidByCard, type PaidByCard } from '../receipts/paid-by-card.ts';

/** Sends the receipt of a card payment to a company; again where it was refused. */
export async function sendCardReceipt(
  db: Db,
  key: string,
  buyer: EInvoiceBuyer,
  at: UtcTime,
): Promise<PaidByCard> {
  return await db.write(async (tx) => {
    const found = await findPaidByCard(tx.q, key);
    if (!found.ok) return found;
    const before = await findEInvoice(tx.q, found.invoiceId);
    if (before === null) await queueEInvoice(tx, found.invoiceId, at, buyer);
    else if (before.state === 'refused' && before.buyer !== null) {
      await requeueEInvoice(tx, before, at);
      await updateEInvoice(tx.q, before.id, { buyer });
    } else return { ok: false, mistake: mistake('e-invoice-under-way') };
    return found;
  });
}
