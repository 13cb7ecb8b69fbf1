import { newId } from '@hlid/node/new-id';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { addedVat, creditVatParts } from '@hlid/protocol/base/vat';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { recordEvent } from '../../records/integration-events/record-event.ts';
import type { IncomePart, InvoiceLine } from '../../records/invoices/invoice-table.ts';
import { followPriceOfUnits } from '../quotas/bought-quota.ts';
import { invoiceById } from './find-invoice.ts';
import { creditNotesOf, type InvoiceRow, updateInvoiceRow } from './invoice-store.ts';
import { type IssuedInvoice, issueCounterpart } from './issue-invoice.ts';
import { mailCounterpart } from './mail-counterpart.ts';

/** The amounts that a credit note takes back, below zero. */
export interface Credit {
  /** The credit note's id; absent: a new one is made. */
  id?: string;
  /** The cause of the credit note. The caller checks first that no other note has it. */
  cause: string;
  lines: InvoiceLine[];
  incomeParts: IncomePart[];
  /** The part of the tip that is taken back; absent: none. */
  tipMinor?: number;
}

/**
 * Credits a part of an issued invoice, by a separate document that names the invoice. The invoice stays as it
 * is.
 */
export async function creditPart(
  tx: Tx,
  invoice: InvoiceRow,
  credit: Credit,
  at: UtcTime,
): Promise<IssuedInvoice> {
  const before = await standingNotes(tx.q, invoice.id);
  const isRest = sumOf([invoice, ...before, { amountMinor: sumOf(credit.lines) }]) === 0;
  const [first, ...parts] = credit.incomeParts;
  const incomeParts =
    isRest && first !== undefined ? [{ ...first, invoices: -1 as const }, ...parts] : credit.incomeParts;
  const note = await issueAgainst(tx, invoice, { ...credit, incomeParts }, invoice.status, at);
  if (isRest) await markTakenBack(tx, invoice, [...before, note], at);
  await followUnits(tx, invoice, at);
  return note;
}

/**
 * Takes back all of an issued invoice that is left: a credit note names it, and the day's income goes down. The invoice
 * is `refunded` then. No money moves by this.
 *
 * @param by `hand`: a person decides it, whatever becomes of the payment
 * @returns the invoice
 */
export async function creditRest(
  tx: Tx,
  invoice: InvoiceRow,
  at: UtcTime,
  by: 'payment' | 'hand' = 'payment',
): Promise<InvoiceRow> {
  const notes = await standingNotes(tx.q, invoice.id);
  const all = [invoice, ...notes];
  if (sumOf(all) !== 0) {
    const lines = all.flatMap((one) => one.lines.map(negated));
    const incomeParts = mergedParts(all.flatMap((one) => one.incomeParts).map(negatedPart));
    const id = newId();
    const cause = by === 'hand' ? `${BY_HAND}${id}` : id;
    await issueAgainst(
      tx,
      invoice,
      { id, cause, lines, incomeParts, tipMinor: 0 - tipsOf(all) },
      'refunded',
      at,
    );
  }
  const after = await markTakenBack(tx, invoice, notes, at);
  await followUnits(tx, invoice, at);
  return after;
}

const BY_HAND = 'hand:';

/**
 * Brings the credit notes of an invoice to an amount. If they exceed the amount, separate documents take some
 * of them back, the newest first. What a person has taken back by hand stays, and nothing is taken back
 * twice.
 *
 * @param partOf lines and income of a credit note for a part; its amount is below zero
 */
export async function creditUpTo(
  tx: Tx,
  invoice: InvoiceRow,
  creditedMinor: number,
  at: UtcTime,
  partOf: (amountMinor: number) => Pick<Credit, 'lines' | 'incomeParts'>,
): Promise<void> {
  const notes = await standingNotes(tx.q, invoice.id);
  const own = notes.filter(({ cause }) => !cause.startsWith(BY_HAND));
  const byHandMinor = sumOf(own) - sumOf(notes);
  const wantedMinor = Math.min(creditedMinor, invoice.amountMinor - byHandMinor);
  let surplus = 0 - sumOf(own) - wantedMinor;
  if (surplus === 0) return;
  const exact = own.find(({ amountMinor }) => amountMinor === 0 - surplus);
  for (const note of exact === undefined ? own.toReversed() : [exact]) {
    if (surplus <= 0) break;
    await takeBackCredit(tx, note, at);
    surplus += note.amountMinor;
  }
  const standing = await standingNotes(tx.q, invoice.id);
  const leftMinor = sumOf([invoice, ...standing]);
  if (leftMinor > 0) await markPaidAgain(tx, invoice, standing, at);
  if (surplus === 0) return await followUnits(tx, invoice, at);
  const paid = { ...invoice, status: 'paid' as const };
  if (leftMinor + surplus === 0) await creditRest(tx, paid, at);
  else {
    const id = newId();
    await issueAgainst(tx, paid, { id, cause: id, ...partOf(surplus) }, 'paid', at);
    await followUnits(tx, invoice, at);
  }
}

/** Takes a credit note back, once, by a separate document, because its money is here again. */
async function takeBackCredit(tx: Tx, note: InvoiceRow, at: UtcTime): Promise<void> {
  const lines = note.lines.map(negated);
  const incomeParts = note.incomeParts.map(negatedPart);
  const tipMinor = 0 - note.tipMinor;
  const credit = { cause: `credit:${note.id}`, lines, incomeParts, tipMinor };
  await issueAgainst(tx, note, credit, 'refunded', at);
  await updateInvoiceRow(tx.q, { ...note, status: 'refunded', refundedAt: at, modifiedAt: at });
  const invoice = note.creditOf === null ? null : await invoiceById(tx.q, note.creditOf);
  if (invoice !== null) await followUnits(tx, invoice, at);
}

/** Prepaid units go back with their price. */
async function followUnits(tx: Tx, { id, lines, amountMinor }: InvoiceRow, at: UtcTime): Promise<void> {
  if (!lines.some(({ rule }) => rule === 'quota')) return;
  const notes = await standingNotes(tx.q, id);
  await followPriceOfUnits(tx, id, { creditedMinor: 0 - sumOf(notes), amountMinor }, at);
}

/** Settles the credit notes that were made before the invoice was paid. */
export async function settleCreditNotes(tx: Tx, { id }: InvoiceRow, at: UtcTime): Promise<void> {
  for (const note of await creditNotesOf(tx.q, id)) {
    if (note.status === 'draft') await updateInvoiceRow(tx.q, { ...note, status: 'paid', modifiedAt: at });
  }
}

/** Something of it counts as paid, and so do the credit notes that stand beside it. */
async function markPaidAgain(
  tx: Tx,
  invoice: InvoiceRow,
  standing: readonly InvoiceRow[],
  at: UtcTime,
): Promise<void> {
  if (invoice.status === 'paid') return;
  for (const note of standing) await updateInvoiceRow(tx.q, { ...note, status: 'paid', modifiedAt: at });
  await updateInvoiceRow(tx.q, { ...invoice, status: 'paid', refundedAt: null, modifiedAt: at });
}

/** The credit notes of an invoice that nothing has taken back. */
export async function standingNotes(q: Queries, invoiceId: string): Promise<InvoiceRow[]> {
  const notes = await creditNotesOf(q, invoiceId);
  return notes.filter(({ refundedAt }) => refundedAt === null);
}

async function issueAgainst(
  tx: Tx,
  against: InvoiceRow,
  { id = newId(), cause, lines, incomeParts, tipMinor = 0 }: Credit,
  status: InvoiceRow['status'],
  at: UtcTime,
): Promise<IssuedInvoice> {
  if (against.series === null) throw new Error('what was not issued has no credit note');
  const standing = await standingNotes(tx.q, against.id);
  const document = {
    ...against,
    id,
    cause,
    number: null,
    issuedAt: null,
    creditOf: against.id,
    status,
    amountMinor: sumOf(lines),
    lines,
    vat: creditVatParts(addedVat([against, ...standing].map(({ vat }) => vat)), lines, against.currency),
    incomeParts,
    tipMinor,
    openRefundMinor: 0,
    paidWith: null,
    paidAt: null,
    paymentId: null,
    publishStatus: against.publishStatus === null ? null : ('draft' as const),
    refundedAt: null,
    remoteStatus: 'draft' as const,
    createdAt: at,
    modifiedAt: at,
  };
  const issued = await issueCounterpart(tx, document, against.series, at);
  await mailCounterpart(tx, issued, at);
  return issued;
}

/** Marks an invoice. The amounts stand in separate documents. */
async function markTakenBack(
  tx: Tx,
  invoice: InvoiceRow,
  notes: readonly InvoiceRow[],
  at: UtcTime,
): Promise<InvoiceRow> {
  for (const note of notes) {
    if (note.status !== 'refunded')
      await updateInvoiceRow(tx.q, { ...note, status: 'refunded', modifiedAt: at });
  }
  const row: InvoiceRow = { ...invoice, status: 'refunded', refundedAt: at, modifiedAt: at };
  await updateInvoiceRow(tx.q, row);
  await recordEvent(tx, { type: 'invoice.refunded', subjectId: row.id, siteId: row.siteId, at });
  return row;
}

function tipsOf(rows: readonly Pick<InvoiceRow, 'tipMinor'>[]): number {
  return rows.reduce((sum, { tipMinor }) => sum + tipMinor, 0);
}

function sumOf(rows: readonly { amountMinor: number }[]): number {
  return rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

export function negated(line: InvoiceLine): InvoiceLine {
  // A difference of 0 is not minus zero.
  return { ...line, units: 0 - line.units, amountMinor: 0 - line.amountMinor };
}

function negatedPart(part: IncomePart): IncomePart {
  const invoices = part.invoices === 0 ? 0 : part.invoices === 1 ? -1 : 1;
  return { ...part, invoices, amountMinor: 0 - part.amountMinor };
}

/** One part for each site and vehicle category. */
function mergedParts(parts: readonly IncomePart[]): IncomePart[] {
  const merged = new Map<string, IncomePart>();
  for (const { siteId, vehicleCategory, invoices, amountMinor, productId } of parts) {
    const key = `${vehicleCategory} ${siteId} ${productId}`;
    const known = merged.get(key);
    merged.set(key, {
      siteId,
      vehicleCategory,
      invoices: invoices === 0 ? (known?.invoices ?? 0) : invoices,
      amountMinor: (known?.amountMinor ?? 0) + amountMinor,
      ...(productId !== undefined && { productId }),
    });
  }
  return [...merged.values()];
}
