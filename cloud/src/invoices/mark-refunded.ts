import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Tx } from '../db/db.ts';
import { recordEvent } from '../webhooks/events/record-event.ts';
import { type InvoiceRow, updateInvoiceRow } from './invoice-store.ts';
import { reverseIncome } from './issue-invoice.ts';

/**
 * Marks a paid invoice as refunded, takes it out of the income on that day, and notifies integrators. Accounting is
 * asked to take it again, now as what it is. No money moves by this.
 */
export async function markRefunded(tx: Tx, paid: InvoiceRow, at: UtcTime): Promise<InvoiceRow> {
  const row: InvoiceRow = {
    ...paid,
    status: 'refunded',
    refundedAt: at,
    remoteStatus: 'draft',
    publishStatus: paid.publishStatus && 'draft',
    modifiedAt: at,
  };
  await updateInvoiceRow(tx.q, row);
  await reverseIncome(tx, row, at);
  await recordEvent(tx, { type: 'invoice.refunded', subjectId: row.id, siteId: row.siteId, at });
  return row;
}
