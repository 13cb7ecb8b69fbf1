import type { Language } from '@hlid/protocol/base/language';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { cloudActor } from '../../people/audit/audit.ts';
import type { Db } from '../../platform/db/db.ts';
import { ALL_ROWS } from '../../platform/http/caller.ts';
import {
  findEInvoice,
  queueEInvoice,
  requeueEInvoice,
  updateEInvoice,
} from '../../records/invoices/e-invoice-store.ts';
import type { EInvoiceBuyer } from '../../records/invoices/e-invoice-table.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import { queueCompanyReceipt } from '../receipts/mail-receipt.ts';
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

/** What became of a receipt that was to be mailed. */
export type MailedReceipt = PaidByCard | { ok: false; retryAfterSeconds: number };

/** Mails the receipt of a card payment to a company, with the file for its books. */
export async function mailCardReceipt(
  db: Db,
  key: string,
  { company, ...to }: { company: EInvoiceBuyer; email: string; language: Language },
  at: UtcTime,
): Promise<MailedReceipt> {
  return await db.write(async (tx) => {
    const found = await findPaidByCard(tx.q, key);
    if (!found.ok) return found;
    const { invoiceId, visitId } = found;
    const visit = visitId === null ? null : await findVisitRow(tx.q, visitId, ALL_ROWS);
    if (visit === null) return { ok: false, mistake: mistake('nothing-paid') };
    const actor = cloudActor('receipt-page', at);
    const mailed = await queueCompanyReceipt(tx, actor, visit, { ...to, company, invoiceId });
    if (mailed.ok) return found;
    if (mailed.reason === 'too-many') return { ok: false, retryAfterSeconds: mailed.retryAfterSeconds };
    return { ok: false, mistake: mistake('nothing-paid') };
  });
}
