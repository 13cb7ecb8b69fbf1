import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { RemoteStatus } from '@hlid/protocol/records/invoice';
import type { Queries } from '../../platform/db/db.ts';
import { invoiceById } from './find-invoice.ts';
import { updateInvoiceRow } from './invoice-store.ts';

/** Marks how far an invoice is on its way to its payer electronically; the same mark once more changes nothing. */
export async function markPublished(
  q: Queries,
  invoiceId: string,
  publishStatus: RemoteStatus,
  at: UtcTime,
): Promise<void> {
  const invoice = await invoiceById(q, invoiceId);
  if (invoice === null || invoice.publishStatus === publishStatus) return;
  await updateInvoiceRow(q, { ...invoice, publishStatus, modifiedAt: at });
}
