import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { ALL_ROWS, type OwnRows, seesSite, sitesOf } from '../../platform/http/caller.ts';
import { findCustomer } from '../../records/customers/find-customer.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import { draftOf, type InvoicedVisit, type MadeSettlement, paidBy } from '../invoices/invoice-settlement.ts';
import type { InvoiceWithCustomer } from '../invoices/invoice-store.ts';
import { findPayment } from './find-payment.ts';
import { invoicedAtTerminal } from './ingest-payment.ts';
import { findKioskOrder } from './kiosk-orders.ts';

/**
 * The invoice that a payment at a terminal is to make: the caller who began the payment has its id already. Nothing
 * is stored of it before the payment is over. Null: there is no such payment under way, or not for this caller.
 */
export async function pendingInvoice(
  q: Queries,
  id: string,
  own: OwnRows,
  now: UtcTime,
): Promise<InvoiceWithCustomer | null> {
  const pending = await pendingPayment(q, id, now);
  if (pending === null) return null;
  const { visit, made, isRefused } = pending;
  const maySee = own.all
    ? sitesOf(own) === null || seesSite(own, visit.siteId)
    : own.customerId !== null && visit.customerId === own.customerId;
  if (!maySee) return null;
  const draft = draftOf(visit, made, paidBy(made), null);
  const customer = visit.customerId === null ? null : await findCustomer(q, visit.customerId, ALL_ROWS);
  const status = isRefused ? ('failed' as const) : draft.status;
  return { ...draft, status, customerName: customer?.name ?? null, creditOfNumber: null };
}

interface Pending {
  visit: InvoicedVisit;
  made: MadeSettlement;
  isRefused: boolean;
}

async function pendingPayment(q: Queries, id: string, now: UtcTime): Promise<Pending | null> {
  const payment = await findPayment(q, id);
  if (payment !== null) {
    // One online has its invoice from the beginning, and one that is over has it too.
    if (payment.terminalId === null || payment.visitId === null) return null;
    const { visit, made } = await invoicedAtTerminal(q, { ...payment, visitId: payment.visitId });
    return { visit, made, isRefused: false };
  }
  const order = await findKioskOrder(q, id, now);
  const visit = order && (await findVisitRow(q, order.visitId, ALL_ROWS));
  if (order === null || visit === null) return null;
  // Its site computes the amount, and has not reported it yet.
  const made: MadeSettlement = {
    cause: id,
    paymentStatus: 'kiosk',
    amountMinor: 0,
    currency: visit.price?.currency ?? 'ISK',
    units: 0,
    at: order.at,
    payment: { id, card: null, language: order.language },
  };
  return { visit, made, isRefused: order.fault !== null };
}
