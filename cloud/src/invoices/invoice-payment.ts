import { mayBecome } from '@hlid/protocol/invoice';
import { USUAL_VAT_RATE } from '@hlid/protocol/product';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Tx } from '../db/db.ts';
import { creditPart, creditRest, takeBackCredit } from './credit-note.ts';
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
  const paid = { ...held, ...receiptOf(payment.card), status: 'paid' as const, modifiedAt: at };
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

/** A part of the money went back: a credit note of its own, so that the invoice stays as it was issued. */
export async function invoiceCredited(
  tx: Tx,
  cause: string,
  credit: { id: string; amountMinor: number },
  at: UtcTime,
): Promise<void> {
  const paid = await invoiceOfCause(tx.q, cause);
  if (paid?.status !== 'paid' || (await invoiceOfCause(tx.q, credit.id)) !== null) return;
  const amountMinor = 0 - credit.amountMinor;
  const [first] = paid.lines;
  const { visitId = paid.visitId, plate = null, vatRate = USUAL_VAT_RATE } = first ?? {};
  const line = { rule: 'visit' as const, visitId, plate, units: 0, amountMinor, vatRate };
  const vehicleCategory = paid.incomeParts[0]?.vehicleCategory ?? 'light';
  const incomeParts = [{ siteId: paid.siteId, vehicleCategory, invoices: 0 as const, amountMinor }];
  const lines = [{ ...first, ...line }];
  await creditPart(tx, paid, { id: credit.id, cause: credit.id, lines, incomeParts }, at);
}

/** The part of the money is here again: its credit note no longer counts. */
export async function creditWithdrawn(tx: Tx, creditId: string, at: UtcTime): Promise<void> {
  const note = await invoiceOfCause(tx.q, creditId);
  if (note !== null) await takeBackCredit(tx, note, at);
}

/** The money went back: what of it had not gone back in parts before. */
export async function invoiceReversed(tx: Tx, cause: string, at: UtcTime): Promise<void> {
  const held = await invoiceOfCause(tx.q, cause);
  // A person may have marked it before.
  if (held?.status === 'paid') await creditRest(tx, held, at);
  else await endedInFailure(tx, cause, at);
}
