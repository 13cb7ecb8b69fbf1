import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { invoiceOfCause } from '../../money/invoices/find-invoice.ts';
import { paymentOfReceipt } from '../../money/payments/find-payment.ts';
import type { Queries } from '../../platform/db/db.ts';
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
