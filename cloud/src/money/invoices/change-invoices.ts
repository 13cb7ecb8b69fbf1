import { canonicalJson } from '@hlid/protocol/base/canonical-json';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { auditOf } from '../../people/audit/audit.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { type Actor, ALL_ROWS } from '../../platform/http/caller.ts';
import { omitUndefined } from '../../platform/omit-undefined.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../platform/refused.ts';
import { type EInvoiceRow, findEInvoice, withdrawEInvoice } from '../../records/invoices/e-invoice-store.ts';
import { settleCreditNotes } from './credit-note.ts';
import { findInvoice } from './find-invoice.ts';
import { type InvoiceEdit, marksOf } from './invoice.ts';
import {
  INVOICE_ACTIONS,
  isWaiting,
  refuseMark,
  refuseOtherChannel,
  refusePaid,
  refusePublishing,
  refuseWaiting,
} from './invoice-actions.ts';
import { type InvoiceRow, type InvoiceWithCustomer, updateInvoiceRow } from './invoice-store.ts';
import { issueWaitingInvoice, type UnissuedInvoice } from './issue-invoice.ts';

export const auditInvoice = auditOf('invoice', changeable);

export type InvoiceResult = { ok: true; invoice: InvoiceWithCustomer } | Refused;

/** Marks an invoice, or sets its payer and address; the same marks once more change nothing. */
export async function updateInvoice(
  db: Db,
  actor: Actor,
  id: string,
  edit: InvoiceEdit,
): Promise<InvoiceResult> {
  return await db.write(async (tx) => {
    const before = await findInvoice(tx.q, id, ALL_ROWS);
    if (before === null) return NOT_FOUND;
    const read = changeOf(edit, before);
    if (!read.ok) return read;
    const eInvoice = read.change.publishStatus === undefined ? null : await findEInvoice(tx.q, id);
    const mistakes = mistakesIn(read.change, before, eInvoice);
    if (mistakes.length > 0) return refusedInput(...mistakes);
    const { payer, invoiceEmail, paidWith, ...marks } = read.change;
    const edited: InvoiceWithCustomer = {
      ...before,
      ...omitUndefined(marks),
      ...(invoiceEmail === undefined ? {} : { email: invoiceEmail }),
      ...(isPaidOtherwise(read.change, before) && { paidAt: before.paidAt ?? actor.at }),
      ...(paidWith === undefined ? {} : { paidWith }),
      ...(payer === undefined ? {} : { payerSsn: payer.ssn, payerName: payer.name }),
    };
    if (canonicalJson(edited) === canonicalJson(before)) return { ok: true, invoice: before };
    // Another system has published it, or could not: it is not handed over as well.
    if (eInvoice !== null && edited.publishStatus !== 'draft') await withdrawEInvoice(tx.q, id);
    const marked = { ...edited, modifiedAt: actor.at };
    const invoice = { ...marked, ...(await save(tx, actor, marked)) };
    await auditInvoice(tx, actor, 'invoice.update', before, invoice);
    return { ok: true, invoice };
  });
}

/** A person or the accounting system reports that it is paid, or how it was paid. */
function isPaidOtherwise({ status, paidWith }: InvoiceChange, before: InvoiceRow): boolean {
  return paidWith !== undefined || (status === 'paid' && before.status !== 'paid');
}

/** The changes of an edit: unchanged fields may be sent along, as their reader got them. */
interface InvoiceChange extends Pick<InvoiceEdit, 'remoteStatus' | 'invoiceEmail' | 'language' | 'paidWith'> {
  status?: 'paid';
  publishStatus?: NonNullable<InvoiceEdit['publishStatus']>;
  payer?: { ssn: string | null; name: string };
}

function changeOf(
  edit: InvoiceEdit,
  before: InvoiceWithCustomer,
): { ok: true; change: InvoiceChange } | Refused {
  const shown = marksOf(before);
  const isSame = (name: Exclude<keyof InvoiceEdit, 'paidWith'>) =>
    canonicalJson(edit[name]) === canonicalJson(shown[name]);
  const { remoteStatus, invoiceEmail, language, paidWith } = edit;
  const change: InvoiceChange = { remoteStatus, invoiceEmail, language, paidWith };
  const mistakes: Mistake[] = [];
  if (edit.status === 'paid') change.status = 'paid';
  else if (edit.status !== undefined && !isSame('status')) {
    mistakes.push(mistake('not-one-of', 'status', { values: ['paid'], more: 0 }));
  }
  if (edit.publishStatus != null) change.publishStatus = edit.publishStatus;
  else if (edit.publishStatus === null && !isSame('publishStatus')) {
    mistakes.push(mistake('wrong-type', 'publishStatus', { expected: 'string' }));
  }
  if (edit.payer !== undefined && !isSame('payer')) {
    const { ssn, name } = edit.payer ?? { ssn: null, name: null };
    if (name === null) mistakes.push(mistake('required', 'payer.name'));
    else change.payer = { ssn, name };
  }
  return mistakes.length > 0 ? refusedInput(...mistakes) : { ok: true, change };
}

/** A payer of an invoice that waited for one means that it is issued. */
async function save(tx: Tx, actor: Actor, marked: InvoiceWithCustomer): Promise<InvoiceRow> {
  const { customerName: _, creditOfNumber: __, ...row } = marked;
  if (isUnissued(row) && (row.payerSsn ?? row.payerName) !== null) {
    return await issueWaitingInvoice(tx, row, actor.at);
  }
  await updateInvoiceRow(tx.q, row);
  if (row.status === 'paid') await settleCreditNotes(tx, row, actor.at);
  return row;
}

function isUnissued(row: InvoiceRow): row is UnissuedInvoice {
  return isWaiting(row);
}

function mistakesIn(
  { status, remoteStatus, publishStatus, payer, paidWith }: InvoiceChange,
  before: InvoiceRow,
  eInvoice: EInvoiceRow | null,
): Mistake[] {
  const isIssued = payer !== undefined;
  const found: (Mistake | null)[] = [];
  if (payer !== undefined) found.push(INVOICE_ACTIONS['set-payer'].refuse(before));
  if (status !== undefined && before.status !== 'paid') found.push(refusePaid(before));
  // The card of a payment made here is known, and an unpaid invoice has no way of payment.
  const isPaidHere = before.paymentId !== null || !before.paymentType.endsWith('-invoice');
  const isPaid = status === 'paid' || before.status === 'paid';
  if (paidWith !== undefined && (isPaidHere || !isPaid)) found.push(mistake('way-of-paid-only', 'paidWith'));
  if (remoteStatus !== undefined) found.push(refuseMark(before.remoteStatus, remoteStatus, 'remoteStatus'));
  if (publishStatus !== undefined) {
    found.push(refusePublishing(before.publishStatus, publishStatus));
    if (publishStatus !== before.publishStatus) found.push(refuseOtherChannel(eInvoice));
  }
  if (!isIssued && status !== undefined) found.push(refuseWaiting(before, 'status'));
  if (!isIssued && remoteStatus !== undefined) found.push(refuseWaiting(before, 'remoteStatus'));
  return found.filter((one) => one !== null);
}

/** The fields of an invoice that change: its lines do not, and may be thousands. */
function changeable(row: InvoiceWithCustomer) {
  return { ...marksOf(row), paidWith: row.paidWith };
}
