import { newId } from '@hlid/node/new-id';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { eq } from '../../platform/db/sql.ts';
import { E_INVOICES_WAITING, type EInvoiceBuyer, eInvoiceTable as t } from './e-invoice-table.ts';

export type EInvoiceRow = typeof t.$inferSelect;

export async function findEInvoice(q: Queries, invoiceId: string): Promise<EInvoiceRow | null> {
  return (await q.select().from(t).where(eq(t.id, invoiceId)).get()) ?? null;
}

/**
 * Sends an invoice electronically, once this is durable; it was not sent so before.
 *
 * @param buyer of a receipt for a card payment
 */
export async function queueEInvoice(
  tx: Tx,
  invoiceId: string,
  at: UtcTime,
  buyer: EInvoiceBuyer | null = null,
): Promise<void> {
  await tx.q.insert(t).values({
    id: invoiceId,
    buyer,
    state: 'waiting',
    stateAt: at,
    key: newId(),
    createdAt: at,
    dueAt: at,
  });
  tx.announce(E_INVOICES_WAITING);
}

/** Sends one again that was refused: a new attempt, under a key of its own. */
export async function requeueEInvoice(tx: Tx, before: EInvoiceRow, at: UtcTime): Promise<void> {
  await updateEInvoice(tx.q, before.id, {
    state: 'waiting',
    stateAt: at,
    key: newId(),
    refusals: before.refusals + 1,
    accessPoint: null,
    digest: null,
    reference: null,
    reason: null,
    detail: null,
    attempts: 0,
    dueAt: at,
  });
  tx.announce(E_INVOICES_WAITING);
}

export async function updateEInvoice(q: Queries, id: string, change: Partial<EInvoiceRow>): Promise<void> {
  await q.update(t).set(change).where(eq(t.id, id));
}

/** Another system has published an invoice that was not handed over: it is not sent any more. */
export async function withdrawEInvoice(q: Queries, invoiceId: string): Promise<void> {
  await q.delete(t).where(eq(t.id, invoiceId));
}

/** Whether an access point has a document, or may have it. */
export function isHandedOver({ state }: Pick<EInvoiceRow, 'state'>): boolean {
  return state !== 'waiting' && state !== 'refused';
}
