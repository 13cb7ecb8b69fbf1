import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { invoiceMail } from '../../../money/invoices/invoice-mail.ts';
import { snapshotsOf } from '../../../money/invoices/invoice-snapshot.ts';
import type { IssuedInvoice } from '../../../money/invoices/issue-invoice.ts';
import { queueMail } from '../../../people/mail/queue-mail.ts';
import type { Tx } from '../../../platform/db/db.ts';
import type { InvoiceLinks } from './invoice-links.ts';

/**
 * Sends an invoice that is issued now, with the link to pay it by card; none where it has no address.
 *
 * @param days the first and the last day that it covers
 */
export async function mailInvoice(
  tx: Tx,
  links: InvoiceLinks,
  invoice: IssuedInvoice,
  days: [string, string],
  at: UtcTime,
): Promise<void> {
  if (invoice.email === null) return;
  const { sellers } = await snapshotsOf(tx.q, [{ sellerId: invoice.sellerId }]);
  const payAt = (await links.of(tx.q, invoice.id, invoice.language))?.url ?? null;
  await queueMail(tx, invoiceMail(invoice, invoice.email, days, [...sellers.values()], payAt), at);
}
