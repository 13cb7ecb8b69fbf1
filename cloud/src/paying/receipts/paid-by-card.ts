import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { SiteSettings } from '@hlid/protocol/records/lane';
import { invoiceOfCause } from '../../money/invoices/find-invoice.ts';
import type { InvoiceRow } from '../../money/invoices/invoice-store.ts';
import { paymentOfReceipt } from '../../money/payments/find-payment.ts';
import type { PaymentRow } from '../../money/payments/payment-store.ts';
import type { Queries } from '../../platform/db/db.ts';
import { siteById } from '../../records/sites/choose-site.ts';

/** The invoice that a card payment has made, for its receipt to a company; or why there is none. */
export type PaidByCard =
  | { ok: true; invoiceId: string; visitId: string | null }
  | { ok: false; mistake: Mistake | 'not-found' };

/** @param key leads to the receipt: whoever has it may send it to the own company */
export async function findPaidByCard(q: Queries, key: string): Promise<PaidByCard> {
  const payment = await paymentOfReceipt(q, key);
  if (payment === null) return { ok: false, mistake: 'not-found' };
  const site = await siteById(q, payment.siteId);
  return paidByCard(payment, site?.settings, await invoiceOfCause(q, payment.id));
}

/** @param invoice the one that the payment has made; null: none */
export function paidByCard(
  payment: Pick<PaymentRow, 'invoiceId' | 'state' | 'visitId'>,
  settings: Pick<SiteSettings, 'sendsCardReceipts'> | undefined,
  invoice: Pick<InvoiceRow, 'id' | 'number'> | null,
): PaidByCard {
  if (settings?.sendsCardReceipts !== true) return { ok: false, mistake: mistake('card-receipts-off') };
  // What pays an invoice that is there has that invoice for the books.
  if (
    payment.invoiceId !== null ||
    payment.state !== 'settled' ||
    invoice === null ||
    invoice.number === null
  ) {
    return { ok: false, mistake: mistake('nothing-paid') };
  }
  return { ok: true, invoiceId: invoice.id, visitId: payment.visitId };
}
