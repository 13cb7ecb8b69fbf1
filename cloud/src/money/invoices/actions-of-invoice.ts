import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { actionsFor } from '../../people/auth/record-actions.ts';
import type { CardGateways } from '../../platform/card-gateways/card-gateways.ts';
import type { Queries } from '../../platform/db/db.ts';
import { type Caller, ownRows } from '../../platform/http/caller.ts';
import { disputesAbout } from '../../records/disputes/find-disputes.ts';
import { findEInvoice } from '../../records/invoices/e-invoice-store.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import { visitsTakenBack } from './credited-visits.ts';
import { hasPaidInvoice } from './find-invoice.ts';
import {
  INVOICE_ACTION_NAMES,
  INVOICE_ACTIONS,
  type InvoiceAction,
  type PaymentRefusals,
} from './invoice-actions.ts';
import type { InvoiceRow } from './invoice-store.ts';
import { openInvoice, sellingSite } from './pay-invoice.ts';

/** The reader of an invoice, and what else decides about the reader's actions. */
export interface InvoiceReader {
  caller: Caller;
  at: UtcTime;
  cardGateways: Pick<CardGateways, 'choose'>;
  paymentRefusals: PaymentRefusalsOf;
}

/** The actions of the payment of an invoice, which a folder above this one computes. */
export type PaymentRefusalsOf = (q: Queries, invoice: InvoiceRow) => Promise<PaymentRefusals>;

/** The actions of the caller on an invoice now. */
export async function actionsOfInvoice(
  q: Queries,
  { caller, at, cardGateways, paymentRefusals }: InvoiceReader,
  invoice: InvoiceRow,
): Promise<InvoiceAction[]> {
  const { id, siteId, visitId, lines } = invoice;
  const visit = visitId === null ? null : await findVisitRow(q, visitId, ownRows(caller));
  const taken = await visitsTakenBack(q, id);
  const facts = {
    ...invoice,
    eInvoice: await findEInvoice(q, id),
    disputes: await disputesAbout(q, { invoiceId: id }),
    hasReceipt: visit !== null && (await hasPaidInvoice(q, visit.id)),
    payments: await paymentRefusals(q, invoice),
    hasVisitLeft: lines.some((line) => line.visitId !== null && !taken.has(line.visitId)),
    canBePaid: await canBePaid(q, id, cardGateways, at),
  };
  return actionsFor(INVOICE_ACTION_NAMES, INVOICE_ACTIONS, caller, { siteId }, facts);
}

async function canBePaid(
  q: Queries,
  id: string,
  gateways: InvoiceReader['cardGateways'],
  at: UtcTime,
): Promise<boolean> {
  const open = await openInvoice(q, id, at);
  return typeof open !== 'string' && (await sellingSite(q, open.invoice, gateways)) !== null;
}
