import { DAY_MS } from '@hlid/protocol/base/durations';
import { wallClock } from '@hlid/protocol/base/site-time';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { SITE_DEFAULTS } from '@hlid/protocol/records/site-limits';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { newValue, preparedInsert } from '../../platform/db/prepared-insert.ts';
import { sql } from '../../platform/db/sql.ts';
import { billingOf } from '../../records/customers/customer-billing.ts';
import { recordEvent } from '../../records/integration-events/record-event.ts';
import { findEInvoice, queueEInvoice } from '../../records/invoices/e-invoice-store.ts';
import {
  incomeProductTable as productTable,
  incomeTable as t,
  incomeVatTable as vatTable,
} from '../../records/invoices/income-table.ts';
import { siteById } from '../../records/sites/choose-site.ts';
import { sellerKey, snapshotOf } from './invoice-snapshot.ts';
import {
  type InvoiceNumber,
  type InvoiceRow,
  insertInvoice,
  nextNumber,
  nextNumberIn,
  updateInvoiceRow,
} from './invoice-store.ts';
import { vatOfSites } from './vat-of-sites.ts';

/** An invoice that has not been issued. */
export type UnissuedInvoice = InvoiceRow & { number: null; issuedAt: null };

export type IssuedInvoice = InvoiceRow & { number: number; series: number; issuedAt: string };

/**
 * Makes a new invoice and issues it: it gets its number, counts as income and is reported to integrators. The caller
 * has looked, in the same transaction, that its cause made none before.
 */
export async function issueNewInvoice(tx: Tx, draft: UnissuedInvoice, at: UtcTime): Promise<IssuedInvoice> {
  const invoice = await issued(tx, draft, at, false);
  await insertInvoice(tx.q, invoice);
  return invoice;
}

/** Issues an invoice that was waiting. */
export async function issueWaitingInvoice(
  tx: Tx,
  draft: UnissuedInvoice,
  at: UtcTime,
): Promise<IssuedInvoice> {
  const invoice = await issued(tx, draft, at, true);
  await updateInvoiceRow(tx.q, invoice);
  return invoice;
}

async function issued(
  tx: Tx,
  draft: UnissuedInvoice,
  at: UtcTime,
  hasWaited: boolean,
): Promise<IssuedInvoice> {
  const isPaid = draft.status === 'paid';
  const dueOn = isPaid ? null : await lastDayToPay(tx, draft, at);
  const { seller, ...snapshot } = await snapshotOf(tx.q, draft, hasWaited);
  const number = await nextNumber(tx.q, sellerKey(seller));
  return await numbered(tx, { ...draft, ...snapshot, dueOn }, number, at);
}

/** Issues what takes an invoice back, by its seller as it stands there, and from its series. */
export async function issueCounterpart(
  tx: Tx,
  draft: UnissuedInvoice,
  series: number,
  at: UtcTime,
): Promise<IssuedInvoice> {
  const issued = await numbered(tx, draft, await nextNumberIn(tx.q, series), at);
  await insertInvoice(tx.q, issued);
  return issued;
}

async function numbered(
  tx: Tx,
  draft: UnissuedInvoice,
  number: InvoiceNumber,
  at: UtcTime,
): Promise<IssuedInvoice> {
  const isElectronic = draft.publishStatus !== null || (await isForNetwork(tx.q, draft));
  const invoice = {
    ...draft,
    ...number,
    issuedAt: at,
    publishStatus: isElectronic ? ('draft' as const) : null,
  };
  if (isElectronic) await queueEInvoice(tx, invoice.id, at);
  else await followReceipt(tx, invoice, at);
  await count(tx, invoice, at);
  const { id: subjectId, siteId } = invoice;
  await recordEvent(tx, { type: 'invoice.issued', subjectId, siteId, at });
  return invoice;
}

/** What takes a card payment back goes where its receipt went. */
async function followReceipt(tx: Tx, { id, creditOf }: InvoiceRow, at: UtcTime): Promise<void> {
  const sent = creditOf === null ? null : await findEInvoice(tx.q, creditOf);
  if (sent !== null && sent.buyer !== null) await queueEInvoice(tx, id, at, sent.buyer);
}

/** Whether it is made out to a customer who gets its invoices electronically, whoever made it. */
async function isForNetwork(
  q: Queries,
  { customerId, payerSsn, paymentType, visitId }: UnissuedInvoice,
): Promise<boolean> {
  // What a card has paid for a visit is a receipt, and belongs to who has the card.
  const isReceipt = visitId !== null && !paymentType.endsWith('-invoice');
  if (customerId === null || isReceipt) return false;
  const billing = await billingOf(q, customerId);
  const isPayer = payerSsn === null || payerSsn === billing?.payerSsn;
  return billing?.toPublish === true && isPayer;
}

/** The last day to pay, by the settings of the invoice's sites; of several, the latest. */
async function lastDayToPay(tx: Tx, { incomeParts }: UnissuedInvoice, at: UtcTime): Promise<string> {
  const days: string[] = [];
  for (const siteId of new Set(incomeParts.map((part) => part.siteId))) {
    const site = siteId === null ? null : await siteById(tx.q, siteId);
    const { date } = wallClock(at, site?.timeZone ?? 'UTC');
    const { invoiceDueDays = SITE_DEFAULTS.invoiceDueDays } = site?.settings ?? {};
    days.push(utcTime(millis(`${date}T00:00:00.000Z`) + invoiceDueDays * DAY_MS).slice(0, date.length));
  }
  return days.reduce((latest, day) => (day > latest ? day : latest));
}

/** Income goes to each site on its own calendar. */
async function count(tx: Tx, invoice: InvoiceRow, at: UtcTime): Promise<void> {
  const { paymentType, currency } = invoice;
  for (const [place, part] of invoice.incomeParts.entries()) {
    const { siteId, vehicleCategory, invoices, amountMinor, productId = invoice.productId } = part;
    const site = siteId === null ? null : await siteById(tx.q, siteId);
    const day = wallClock(at, site?.timeZone ?? 'UTC').date;
    await addProduct(tx.q, {
      siteId: siteId ?? '',
      day,
      currency,
      productId: productId ?? '',
      invoices,
      amountMinor,
    });
    await addIncome(tx.q, {
      siteId: siteId ?? '',
      day,
      paymentType,
      vehicleCategory,
      currency,
      invoices,
      amountMinor,
      // A payment with a tip is of one visit.
      tipsMinor: place === 0 ? invoice.tipMinor : 0,
    });
  }
  for (const { siteId, category, rate, netMinor, vatMinor } of vatOfSites(invoice)) {
    const site = siteId === null ? null : await siteById(tx.q, siteId);
    await addVat(tx.q, {
      siteId: siteId ?? '',
      day: wallClock(at, site?.timeZone ?? 'UTC').date,
      currency,
      category: category ?? '',
      rate,
      netMinor,
      vatMinor,
    });
  }
}

const addRow = preparedInsert(t, {
  target: [t.siteId, t.day, t.paymentType, t.vehicleCategory, t.currency],
  set: {
    invoices: sql`${t.invoices} + ${newValue(t.invoices)}`,
    amountMinor: sql`${t.amountMinor} + ${newValue(t.amountMinor)}`,
    tipsMinor: sql`${t.tipsMinor} + ${newValue(t.tipsMinor)}`,
  },
});

const addProduct = preparedInsert(productTable, {
  target: [productTable.siteId, productTable.day, productTable.currency, productTable.productId],
  set: {
    invoices: sql`${productTable.invoices} + ${newValue(productTable.invoices)}`,
    amountMinor: sql`${productTable.amountMinor} + ${newValue(productTable.amountMinor)}`,
  },
});

const addVat = preparedInsert(vatTable, {
  target: [vatTable.siteId, vatTable.day, vatTable.currency, vatTable.category, vatTable.rate],
  set: {
    netMinor: sql`${vatTable.netMinor} + ${newValue(vatTable.netMinor)}`,
    vatMinor: sql`${vatTable.vatMinor} + ${newValue(vatTable.vatMinor)}`,
  },
});

/** Adds to a day's total, in the transaction that issues the invoice or credit note. */
export async function addIncome(q: Queries, income: typeof t.$inferSelect): Promise<void> {
  await addRow(q, income);
}
