import { DAY_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import type { ReceiptCard } from '@hlid/protocol/records/payment';
import type { CardGateways } from '../../platform/card-gateways/card-gateways.ts';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { paidByClaims } from '../../records/books/claim-movements.ts';
import { type ChosenSite, siteById } from '../../records/sites/choose-site.ts';
import { giveBoughtUnits } from '../quotas/bought-quota.ts';
import { creditRest, settleCreditNotes, standingNotes } from './credit-note.ts';
import { invoiceById } from './find-invoice.ts';
import { receiptOf } from './invoice-settlement.ts';
import { type InvoiceRow, updateInvoiceRow } from './invoice-store.ts';
import { issueWaitingInvoice } from './issue-invoice.ts';

/** The amount that an invoice asks for and that is not paid. */
export interface OpenInvoice {
  invoice: InvoiceRow;
  /** All that is left of it. */
  openMinor: number;
}

/** Why an invoice cannot be paid. */
export type InvoiceRefusal = 'no-invoice' | 'invoice-paid' | 'not-payable';

/**
 * The open part of an invoice: issued and not paid, less its credit notes. It may be one of a purchase, which
 * is issued when it is paid.
 */
export async function openInvoice(
  q: Queries,
  id: string,
  now: UtcTime,
): Promise<OpenInvoice | InvoiceRefusal> {
  const invoice = await invoiceById(q, id);
  if (invoice === null) return 'no-invoice';
  const { status, amountMinor } = invoice;
  if (status === 'paid') return 'invoice-paid';
  if (!isPayable(invoice) || (status !== 'draft' && status !== 'incomplete')) return 'not-payable';
  if (status === 'draft' && isOldPurchase(invoice, now)) return 'not-payable';
  const notes = await standingNotes(q, id);
  const askedMinor = notes.reduce((sum, note) => sum + note.amountMinor, amountMinor);
  const openMinor = askedMinor - (await paidByClaims(q, id));
  return openMinor > 0 ? { invoice, openMinor } : 'not-payable';
}

/** The first site that an invoice is for and that takes cards online: all of them have the same seller. Null: none does. */
export async function sellingSite(
  q: Queries,
  { incomeParts }: InvoiceRow,
  gateways: Pick<CardGateways, 'choose'>,
): Promise<ChosenSite | null> {
  for (const siteId of new Set(incomeParts.map((part) => part.siteId))) {
    const site = siteId === null ? null : await siteById(q, siteId);
    if (site !== null && gateways.choose(site.settings.cardGateway, undefined) !== null) return site;
  }
  return null;
}

/**
 * An invoice that waits for its payer cannot be paid yet, and that of a payment of a stay follows its own
 * payment.
 */
function isPayable({ number, creditOf, paymentType, visitId }: InvoiceRow): boolean {
  if (creditOf !== null) return false;
  return number === null ? paymentType === 'online' && visitId === null : paymentType.endsWith('-invoice');
}

/** A price is offered for a day. */
export const PURCHASE_MS = DAY_MS;

function isOldPurchase({ number, createdAt }: InvoiceRow, now: UtcTime): boolean {
  return number === null && millis(now) - millis(createdAt) > PURCHASE_MS;
}

/** Money for it may be moving: it cannot be marked as paid meanwhile. */
export async function invoiceUnderWay(tx: Tx, id: string, at: UtcTime): Promise<void> {
  const invoice = await invoiceById(tx.q, id);
  if (invoice?.status === 'draft') await mark(tx, invoice, { status: 'incomplete' }, at);
}

/** A payment of it came to nothing: it is due as before, and another one may be tried. */
export async function invoiceOpenAgain(tx: Tx, id: string, at: UtcTime): Promise<void> {
  const invoice = await invoiceById(tx.q, id);
  if (invoice?.status === 'incomplete') await mark(tx, invoice, { status: 'draft' }, at);
}

/** It was paid by card, once. One of a purchase gets its number now. @returns the invoice; null: it was paid before */
export async function invoicePaidByCard(
  tx: Tx,
  id: string,
  { paymentId, card }: { paymentId: string; card: ReceiptCard | null },
  at: UtcTime,
): Promise<InvoiceRow | null> {
  const invoice = await invoiceById(tx.q, id);
  if (invoice?.status !== 'draft' && invoice?.status !== 'incomplete') return null;
  const paid = { status: 'paid' as const, paymentId, ...receiptOf(card) };
  const { number, issuedAt } = invoice;
  if (number === null && issuedAt === null) {
    const issued = await issueWaitingInvoice(
      tx,
      { ...invoice, ...paid, number, issuedAt, modifiedAt: at },
      at,
    );
    await giveUnits(tx, issued, at);
    return issued;
  }
  const after = await mark(tx, invoice, { ...paid, paidWith: 'online', paidAt: at }, at);
  await settleCreditNotes(tx, after, at);
  return after;
}

/** The prepaid units of a purchase are the customer's from now on. */
async function giveUnits(
  tx: Tx,
  { id: invoiceId, customerId, productId, lines }: InvoiceRow,
  at: UtcTime,
): Promise<void> {
  const units = lines.reduce((sum, line) => sum + (line.rule === 'quota' ? line.units : 0), 0);
  if (units === 0 || customerId === null || productId === null) return;
  await giveBoughtUnits(tx, { invoiceId, customerId, productId, units }, at);
}

/** The money of the payment that paid it went back: a credit note takes back what is left of it. */
export async function paidInvoiceReversed(tx: Tx, id: string, paymentId: string, at: UtcTime): Promise<void> {
  const invoice = await invoiceById(tx.q, id);
  if (invoice === null) return;
  if (invoice.status === 'paid' && invoice.paymentId === paymentId) await creditRest(tx, invoice, at);
  else await invoiceOpenAgain(tx, id, at);
}

async function mark(
  tx: Tx,
  invoice: InvoiceRow,
  marks: Partial<
    Pick<InvoiceRow, 'status' | 'paidWith' | 'paidAt' | 'paymentId' | 'receiptType' | 'receiptLastFour'>
  >,
  at: UtcTime,
): Promise<InvoiceRow> {
  const after = { ...invoice, ...marks, modifiedAt: at };
  await updateInvoiceRow(tx.q, after);
  return after;
}

/** A claim at a bank has paid all that was open of it. @returns whether it was open until now */
export async function invoicePaidByClaim(tx: Tx, id: string, at: UtcTime): Promise<boolean> {
  const invoice = await invoiceById(tx.q, id);
  if (invoice?.status !== 'draft') return false;
  const after = await mark(tx, invoice, { status: 'paid', paidWith: 'claim', paidAt: at }, at);
  await settleCreditNotes(tx, after, at);
  return true;
}

/** The bank took the payment of its claim back: it is due as before. @returns whether a claim had paid it */
export async function invoiceUnpaidByClaim(tx: Tx, id: string, at: UtcTime): Promise<boolean> {
  const invoice = await invoiceById(tx.q, id);
  if (invoice?.status !== 'paid' || invoice.paidWith !== 'claim') return false;
  await mark(tx, invoice, { status: 'draft', paidWith: null, paidAt: null }, at);
  for (const note of await standingNotes(tx.q, id)) await mark(tx, note, { status: 'draft' }, at);
  return true;
}
