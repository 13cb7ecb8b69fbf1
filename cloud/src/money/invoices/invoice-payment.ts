import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { sumsByVat } from '@hlid/protocol/base/vat';
import { mayBecome, spreadAmount } from '@hlid/protocol/records/invoice';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { type Credit, creditRest, creditUpTo } from './credit-note.ts';
import { hasInvoiceOf, invoiceById, invoiceOfCause } from './find-invoice.ts';
import {
  type CardPayment,
  draftOf,
  type InvoicedVisit,
  invoiceSettlement,
  type MadeSettlement,
  paidBy,
  receiptOf,
} from './invoice-settlement.ts';
import { type InvoiceRow, insertInvoice, updateInvoiceRow } from './invoice-store.ts';
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

/** It is uncertain whether it was booked: an invoice stands for it, without a number, that asks for nothing. */
export async function invoiceUnknown(tx: Tx, visit: InvoicedVisit, made: InvoicedPayment): Promise<void> {
  if ((await invoiceOfCause(tx.q, made.cause)) !== null) return;
  await draftPayment(tx, visit, made, 'incomplete');
}

/**
 * Makes the invoice of an online payment that begins. It has no number, so it requests no payment.
 *
 * @param status `incomplete`: the bank makes the driver prove to be the card's holder
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

/** The payment failed: an invoice without a number shows that, since the payer has its id. */
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

/** The invoice of a card payment: the one that it pays, or the one that it made. */
interface PaidFor {
  id: string;
  invoiceId: string | null;
}

async function invoiceOf(q: Queries, { id, invoiceId }: PaidFor): Promise<InvoiceRow | null> {
  return invoiceId === null ? await invoiceOfCause(q, id) : await invoiceById(q, invoiceId);
}

/**
 * Makes credit notes up to the amount that has gone back by now, so that the invoice itself stays as it was issued.
 * An amount beyond what was paid makes no negative income.
 */
export async function invoiceGivenBack(
  tx: Tx,
  payment: PaidFor & { amountMinor: number },
  givenMinor: number,
  at: UtcTime,
): Promise<void> {
  const paid = await invoiceOf(tx.q, payment);
  if (paid?.status !== 'paid' && paid?.status !== 'refunded') return;
  const isIssuedBefore = payment.invoiceId !== null;
  if (isIssuedBefore && paid.paymentId !== payment.id) return;
  // Amounts that were taken back before it was paid stay taken back.
  const beforeMinor = isIssuedBefore ? paid.amountMinor - payment.amountMinor : 0;
  await creditUpTo(tx, paid, beforeMinor + givenMinor, at, (amountMinor) => shareOf(paid, amountMinor));
}

/** A part of an invoice, with its share of each VAT and of the income of each site. */
export function shareOf(
  { lines, incomeParts }: Pick<InvoiceRow, 'lines' | 'incomeParts'>,
  amountMinor: number,
): Pick<Credit, 'lines' | 'incomeParts'> {
  const sums = lines.length > 0 ? sumsByVat(lines) : [{ vatRate: 0, amountMinor: 1 }];
  const byVat = spreadAmount(
    amountMinor,
    sums.map((sum) => Math.max(0, sum.amountMinor)),
  );
  const byPart = spreadAmount(
    amountMinor,
    incomeParts.map((part) => Math.max(0, part.amountMinor)),
  );
  // A part of several visits names none of them: it belongs to all.
  const isOfOne = new Set(lines.map(({ visitId }) => visitId)).size === 1;
  const [first] = isOfOne ? lines : [];
  const ofAll = {
    rule: 'visit' as const,
    visitId: null,
    plate: null,
    vatCategory: undefined,
    vatReason: undefined,
  };
  const { vatCategory: _, vatReason: __, ...what } = first ?? ofAll;
  return {
    lines: sums.flatMap((vat, n) => {
      const share = byVat[n] ?? 0;
      return share === 0 ? [] : [{ ...what, ...vat, units: 0, amountMinor: share }];
    }),
    incomeParts: incomeParts.map((part, n) => ({ ...part, invoices: 0, amountMinor: byPart[n] ?? 0 })),
  };
}

/** Notes the amount that may have gone back, while that is uncertain. */
export async function invoiceRefundOpen(
  tx: Tx,
  payment: PaidFor,
  openRefundMinor: number,
  at: UtcTime,
): Promise<void> {
  const paid = await invoiceOf(tx.q, payment);
  if (paid === null || paid.openRefundMinor === openRefundMinor || paid.number === null) return;
  await updateInvoiceRow(tx.q, { ...paid, openRefundMinor, modifiedAt: at });
}

/** The money of the invoice that a payment made went back: what of it had not gone back in parts before. */
export async function invoiceReversed(tx: Tx, cause: string, at: UtcTime): Promise<void> {
  const held = await invoiceOfCause(tx.q, cause);
  // A person may have marked it before.
  if (held?.status === 'paid') await creditRest(tx, held, at);
  else await endedInFailure(tx, cause, at);
}
