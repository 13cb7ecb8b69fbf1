import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { invoiceOfCause } from '../../money/invoices/find-invoice.ts';
import { paymentOfReceipt } from '../../money/payments/find-payment.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import {
  findEInvoice,
  queueEInvoice,
  requeueEInvoice,
  updateEInvoice,
} from '../../records/invoices/e-invoice-store.ts';
import type { EInvoiceBuyer } from '../../records/invoices/e-invoice-table.ts';
import { siteById } from '../../records/sites/choose-site.ts';

/** The invoice that a card payment has made, for its receipt to a company; or why there is none. */
export type PaidByCard = { ok: true; invoiceId: string } | { ok: false; mistake: Mistake | 'not-found' };

/** @param key leads to the receipt: whoever has it may send it to the own company */
export async function findPaidByCard(q: Queries, key: string): Promise<PaidByCard> {
  const payment = await paymentOfReceipt(q, key);
  if (payment === null) return { ok: false, mistake: 'not-found' };
  const site = await siteById(q, payment.siteId);
  if (site?.settings.sendsCardReceipts !== true) return { ok: false, mistake: mistake('card-receipts-off') };
  // What pays an invoice that is there has that invoice for the books.
  const invoice = payment.invoiceId === null ? await invoiceOfCause(q, payment.id) : null;
  if (payment.state !== 'settled' || invoice === null || invoice.number === null) {
    return { ok: false, mistake: mistake('nothing-paid') };
  }
  return { ok: true, invoiceId: invoice.id };
}

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
