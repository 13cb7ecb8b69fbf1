import { auditInvoice, type InvoiceResult } from '../../money/invoices/change-invoices.ts';
import { findInvoice } from '../../money/invoices/find-invoice.ts';
import { INVOICE_ACTIONS } from '../../money/invoices/invoice-actions.ts';
import { markPublished } from '../../money/invoices/mark-published.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Actor, ALL_ROWS } from '../../platform/http/caller.ts';
import { NOT_FOUND, type RefusedConflict, refusedConflict } from '../../platform/refused.ts';
import { findEInvoice, queueEInvoice, requeueEInvoice } from '../../records/invoices/e-invoice-store.ts';

/**
 * Sends an issued invoice electronically: one that was refused, in a new attempt with the same document, or one whose
 * customer did not want that when it was issued.
 */
export async function sendInvoice(
  db: Db,
  actor: Actor,
  id: string,
): Promise<InvoiceResult | RefusedConflict> {
  return await db.write(async (tx) => {
    const before = await findInvoice(tx.q, id, ALL_ROWS);
    if (before === null) return NOT_FOUND;
    const eInvoice = await findEInvoice(tx.q, id);
    const why = INVOICE_ACTIONS.send.refuse({ ...before, eInvoice });
    if (why !== null) return refusedConflict(why);
    if (eInvoice === null) await queueEInvoice(tx, id, actor.at);
    else await requeueEInvoice(tx, eInvoice, actor.at);
    // The receipt of a card payment goes to another than the invoice.
    const isReceipt = eInvoice !== null && eInvoice.buyer !== null;
    if (!isReceipt) await markPublished(tx.q, id, 'draft', actor.at);
    const invoice = (await findInvoice(tx.q, id, ALL_ROWS)) ?? before;
    await auditInvoice(tx, actor, 'invoice.send', before, invoice, eInvoice?.reason ?? null);
    return { ok: true, invoice };
  });
}
