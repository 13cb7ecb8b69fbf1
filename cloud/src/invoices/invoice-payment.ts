import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Tx } from '../db/db.ts';
import { invoiceOfCause } from './find-invoice.ts';
import {
  type CardPayment,
  draftOf,
  type InvoicedVisit,
  invoiceSettlement,
  type MadeSettlement,
  receiptOf,
} from './invoice-settlement.ts';
import { insertInvoice, updateInvoiceRow } from './invoice-store.ts';
import { issueWaitingInvoice } from './issue-invoice.ts';
import { markRefunded } from './mark-refunded.ts';

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
  const draft = draftOf(visit, made, 'kiosk', null);
  await insertInvoice(tx.q, { ...draft, status: 'incomplete' });
}

/** It came to nothing: where its outcome was unknown, that is over. */
export async function invoiceFailed(tx: Tx, cause: string, at: UtcTime): Promise<void> {
  const held = await invoiceOfCause(tx.q, cause);
  if (held?.status !== 'incomplete') return;
  await updateInvoiceRow(tx.q, { ...held, status: 'failed', modifiedAt: at });
}

/** The money went back. */
export async function invoiceReversed(tx: Tx, cause: string, at: UtcTime): Promise<void> {
  const held = await invoiceOfCause(tx.q, cause);
  // A person may have marked it before.
  if (held?.status === 'paid') await markRefunded(tx, held, at);
  else await invoiceFailed(tx, cause, at);
}
