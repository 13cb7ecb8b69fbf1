import type { ActToApprove, GivenUp } from '../../people/approvals/second-person.ts';
import type { Queries } from '../../platform/db/db.ts';
import { standingNotes } from './credit-note.ts';
import type { InvoiceRow } from './invoice-store.ts';

type Invoice = Pick<InvoiceRow, 'id' | 'siteId' | 'visitId' | 'incomeParts' | 'amountMinor' | 'currency'>;

/** The sites whose limits apply to an invoice: its own, or those of a collected one. */
export function sitesOfInvoice({ siteId, incomeParts }: Pick<Invoice, 'siteId' | 'incomeParts'>): string[] {
  return siteId === null ? incomeParts.flatMap((part) => part.siteId ?? []) : [siteId];
}

/** The facts that a second person must know of an act that changes an invoice. */
export function invoiceAct(
  kind: 'refund' | 'credit',
  invoice: Invoice,
): Pick<ActToApprove, 'kind' | 'subjectId' | 'siteIds' | 'about'> {
  const { id, visitId } = invoice;
  return { kind, subjectId: id, siteIds: sitesOfInvoice(invoice), about: { invoiceId: id, visitId } };
}

/** The amount that a credit gives up, beside the credit notes that stand. */
export async function creditedWith(
  q: Queries,
  { id, currency }: Invoice,
  amountMinor: number,
): Promise<GivenUp> {
  return { limit: 'credit', amountMinor, currency, beforeMinor: await creditedMinor(q, id) };
}

/** The amount that a refund in the books gives up: all that the credit notes have left of it. */
export async function refundedWith(
  q: Queries,
  { id, currency, amountMinor: wholeMinor }: Invoice,
): Promise<GivenUp> {
  const beforeMinor = await creditedMinor(q, id);
  return { limit: 'refund', amountMinor: wholeMinor - beforeMinor, currency, beforeMinor };
}

async function creditedMinor(q: Queries, invoiceId: string): Promise<number> {
  const notes = await standingNotes(q, invoiceId);
  return notes.reduce((sum, { amountMinor }) => sum - amountMinor, 0);
}
