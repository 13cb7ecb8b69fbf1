import { mayBecome } from '@hlid/protocol/invoice';
import { USUAL_VAT_RATE } from '@hlid/protocol/product';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Tx } from '../db/db.ts';
import { creditRest, creditUpTo } from './credit-note.ts';
import { hasInvoiceOf, invoiceOfCause } from './find-invoice.ts';
import {
  type CardPayment,
  draftOf,
  type InvoicedVisit,
  invoiceSettlement,
  type MadeSettlement,
  paidBy,
  receiptOf,
} from './invoice-settlement.ts';
import { insertInvoice, updateInvoiceRow } from './invoice-store.ts';
import { issueWaitingInvoice } from './issue-invoice.ts';

/** A card payment as the books see it; its id is its settlement's cause. */
export type InvoicedPayment = MadeSettlement & { payment: CardPayment };

/** It was settled: its invoice is paid, once, whether its outcome was unknown before or not. */
export async function invoicePaid(tx: Tx, visit: InvoicedVisit, made: InvoicedPayment): Promise<void> {
  const held = await invoiceOfCause(tx.q, made.cause);
  if (held === null) return await invoiceSettlement(tx, visit, made);
  const { number, issuedAt } = held;
  if (number !== null || issuedAt !== null) return;
  const { at, payment } = made;
  const { tipMinor = 0 } = payment;
  const paid = { ...held, ...receiptOf(payment.card), tipMinor, status: 'paid' as const, modifiedAt: at };
  await issueWaitingInvoice(tx, { ...paid, number, issuedAt }, at);
}

/** Nobody knows whether it was booked: an invoice stands for it, without a number, that asks for nothing. */
export async function invoiceUnknown(tx: Tx, visit: InvoicedVisit, made: InvoicedPayment): Promise<void> {
  if ((await invoiceOfCause(tx.q, made.cause)) !== null) return;
  await draftPayment(tx, visit, made, 'incomplete');
}

/**
 * An online payment begins, and its invoice with it: without a number, it asks for nothing.
 *
 * @param status `incomplete`: the bank has the driver prove to be the holder of the card
 */
export async function draftPayment(
  tx: Tx,
  visit: InvoicedVisit,
  made: InvoicedPayment,
  status: 'draft' | 'incomplete',
): Promise<void> {
  await insertInvoice(tx.q, { ...draftOf(visit, made, paidBy(made), null), status });
}

/** Whether it will be paid is not known for now. */
export async function invoiceIncomplete(tx: Tx, cause: string, at: UtcTime): Promise<void> {
  const held = await invoiceOfCause(tx.q, cause);
  if (held?.status === 'draft') {
    await updateInvoiceRow(tx.q, { ...held, status: 'incomplete', modifiedAt: at });
  }
}

/** It came to nothing: an invoice says so, without a number, since whoever began the payment has its id. */
export async function invoiceFailed(tx: Tx, visit: InvoicedVisit, made: InvoicedPayment): Promise<void> {
  if (await hasInvoiceOf(tx.q, made.cause)) return await endedInFailure(tx, made.cause, made.at);
  await insertInvoice(tx.q, { ...draftOf(visit, made, paidBy(made), null), status: 'failed' });
}

/** The same of a payment that has its invoice. */
export async function endedInFailure(tx: Tx, cause: string, at: UtcTime): Promise<void> {
  const held = await invoiceOfCause(tx.q, cause);
  if (held === null || held.number !== null || !mayBecome(held.status, 'failed')) return;
  await updateInvoiceRow(tx.q, { ...held, status: 'failed', modifiedAt: at });
}

/**
 * So much of the money has gone back by now, together: credit notes of their own come to that, so that the invoice stays as it
 * was issued. More than was paid is no income below nothing.
 */
export async function invoiceGivenBack(
  tx: Tx,
  cause: string,
  givenMinor: number,
  at: UtcTime,
): Promise<void> {
  const paid = await invoiceOfCause(tx.q, cause);
  if (paid?.status !== 'paid' && paid?.status !== 'refunded') return;
  const [first] = paid.lines;
  const { visitId = paid.visitId, plate = null, vatRate = USUAL_VAT_RATE } = first ?? {};
  const { siteId } = paid;
  const vehicleCategory = paid.incomeParts[0]?.vehicleCategory ?? 'light';
  await creditUpTo(tx, paid, givenMinor, at, (amountMinor) => ({
    lines: [{ ...first, rule: 'visit', visitId, plate, units: 0, amountMinor, vatRate }],
    incomeParts: [{ siteId, vehicleCategory, invoices: 0, amountMinor }],
  }));
}

/** So much of the money may have gone back, and nobody knows yet. */
export async function invoiceRefundOpen(
  tx: Tx,
  cause: string,
  openRefundMinor: number,
  at: UtcTime,
): Promise<void> {
  const paid = await invoiceOfCause(tx.q, cause);
  if (paid === null || paid.openRefundMinor === openRefundMinor || paid.number === null) return;
  await updateInvoiceRow(tx.q, { ...paid, openRefundMinor, modifiedAt: at });
}

/** The money went back: what of it had not gone back in parts before. */
export async function invoiceReversed(tx: Tx, cause: string, at: UtcTime): Promise<void> {
  const held = await invoiceOfCause(tx.q, cause);
  // A person may have marked it before.
  if (held?.status === 'paid') await creditRest(tx, held, at);
  else await endedInFailure(tx, cause, at);
}
