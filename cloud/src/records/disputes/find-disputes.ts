/**
 * The one home of the question whether something is contested: `openDisputes` and `hasOpenDispute` for one visit or
 * invoice, `isNotDisputed` and `isInvoiceNotDisputed` as conditions of a query. While something is contested no job
 * charges, bills, reminds, claims or erases it.
 *
 * A visit is contested with every invoice that has it, and an invoice with every visit that it still asks for.
 */
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { and, count, desc, eq, eqPlaceholder, max, or, type SQL, sql } from '../../platform/db/sql.ts';
import { rowOf } from '../../platform/http/keyset.ts';
import { chargeTable } from '../invoices/charge-table.ts';
import { invoiceTable } from '../invoices/invoice-table.ts';
import type { DisputesOfOne } from './dispute-rule.ts';
import { type DisputeRow, disputeReadTable, disputeTable as t } from './dispute-table.ts';

const newestOfVisit = prepared((q) =>
  q
    .select()
    .from(t)
    .where(eqPlaceholder(t.visitId, 'visitId'))
    .orderBy(desc(t.openedAt), desc(rowOf(t.id)))
    .limit(1)
    .prepare(),
);

/** The newest dispute about a visit; null: it was never contested. */
export async function newestDispute(q: Queries, visitId: string): Promise<DisputeRow | null> {
  return (await newestOfVisit(q).get({ visitId })) ?? null;
}

/** The visit or the invoice that is contested. */
export type Contested = { visitId: string } | { invoiceId: string };

/**
 * The open disputes about a visit or an invoice, oldest first: also those about an invoice that has the visit, and those
 * about a visit that the invoice still asks for.
 */
export async function openDisputes(q: Queries, about: Contested): Promise<DisputeRow[]> {
  const those = 'visitId' in about ? aboutVisit(about.visitId) : aboutInvoice(about.invoiceId);
  return await q
    .select()
    .from(t)
    .where(and(eq(t.state, 'open'), those))
    .orderBy(t.openedAt, rowOf(t.id));
}

/** Whether a visit or an invoice is contested now. */
export async function hasOpenDispute(q: Queries, about: Contested): Promise<boolean> {
  return (await openDisputes(q, about)).length > 0;
}

function aboutVisit(visitId: string): SQL | undefined {
  const invoices = sql`(
    SELECT ${invoiceTable.id} FROM ${invoiceTable} WHERE ${eq(invoiceTable.visitId, visitId)}
    UNION ALL SELECT ${chargeTable.invoiceId} FROM ${chargeTable}
    WHERE ${eq(chargeTable.visitId, visitId)} AND ${chargeTable.invoiceId} IS NOT NULL)`;
  return or(eq(t.visitId, visitId), sql`${t.invoiceId} IN ${invoices}`);
}

function aboutInvoice(invoiceId: string): SQL | undefined {
  const visits = sql`(
    SELECT ${invoiceTable.visitId} FROM ${invoiceTable}
    WHERE ${eq(invoiceTable.id, invoiceId)} AND ${invoiceTable.visitId} IS NOT NULL
    UNION ALL SELECT ${chargeTable.visitId} FROM ${chargeTable}
    WHERE ${eq(chargeTable.invoiceId, invoiceId)} AND ${chargeTable.creditedBy} IS NULL)`;
  return or(eq(t.invoiceId, invoiceId), sql`${t.visitId} IN ${visits}`);
}

/** When the last dispute about a visit or an invoice, or what belongs to it, was answered; null: never. */
export async function lastAnswerAbout(q: Queries, about: Contested): Promise<UtcTime | null> {
  const those = 'visitId' in about ? aboutVisit(about.visitId) : aboutInvoice(about.invoiceId);
  const row = await q
    .select({ at: max(t.answeredAt) })
    .from(t)
    .where(those)
    .get();
  return (row?.at ?? null) as UtcTime | null;
}

/** How many disputes there were about exactly this visit or invoice, and whether one is open. */
export async function disputesAbout(q: Queries, about: Contested): Promise<DisputesOfOne> {
  const those = 'visitId' in about ? eq(t.visitId, about.visitId) : eq(t.invoiceId, about.invoiceId);
  const rows = await q.select({ state: t.state, n: count() }).from(t).where(those).groupBy(t.state);
  return {
    isOpen: rows.some(({ state }) => state === 'open'),
    count: rows.reduce((sum, { n }) => sum + n, 0),
  };
}

/**
 * Whether the visit of a row is not contested, nor an invoice that has it.
 *
 * @param visitId the column that names the visit
 */
export function isNotDisputed(visitId: SQLiteColumn): SQL {
  return sql`(NOT EXISTS (SELECT 1 FROM ${t} open_dispute WHERE open_dispute.visit_id = ${visitId}
    AND ${OPEN_ABOUT_VISIT})
    AND NOT EXISTS (SELECT 1 FROM ${invoiceTable} its_invoice JOIN ${t} open_dispute
      ON open_dispute.invoice_id = its_invoice.id AND ${OPEN_ABOUT_INVOICE} WHERE its_invoice.visit_id = ${visitId})
    AND NOT EXISTS (SELECT 1 FROM ${chargeTable} its_charge JOIN ${t} open_dispute
      ON open_dispute.invoice_id = its_charge.invoice_id AND ${OPEN_ABOUT_INVOICE}
      WHERE its_charge.visit_id = ${visitId} AND its_charge.invoice_id IS NOT NULL))`;
}

/**
 * Whether the invoice of a row is not contested, nor a visit that it still asks for.
 *
 * @param invoiceId the column that names the invoice
 */
export function isInvoiceNotDisputed(invoiceId: SQLiteColumn): SQL {
  return sql`(NOT EXISTS (SELECT 1 FROM ${t} open_dispute WHERE open_dispute.invoice_id = ${invoiceId}
    AND ${OPEN_ABOUT_INVOICE})
    AND NOT EXISTS (SELECT 1 FROM ${invoiceTable} this_invoice JOIN ${t} open_dispute
      ON open_dispute.visit_id = this_invoice.visit_id AND ${OPEN_ABOUT_VISIT} WHERE this_invoice.id = ${invoiceId})
    AND NOT EXISTS (SELECT 1 FROM ${chargeTable} its_charge JOIN ${t} open_dispute
      ON open_dispute.visit_id = its_charge.visit_id AND ${OPEN_ABOUT_VISIT}
      WHERE its_charge.invoice_id = ${invoiceId} AND its_charge.invoice_id IS NOT NULL
        AND its_charge.credited_by IS NULL))`;
}

/** Whether the read of a row is in the evidence of a dispute, answered or not: it is erased with the dispute at the latest. */
export function isEvidence(photoId: SQLiteColumn): SQL {
  return sql`EXISTS (SELECT 1 FROM ${disputeReadTable} its_read WHERE its_read.photo_id = ${photoId})`;
}

/**
 * Whether the read of a row is in the evidence of no open dispute.
 *
 * @param photoId the column that names the read
 */
export function isNoEvidence(photoId: SQLiteColumn): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${disputeReadTable} its_read JOIN ${t} its_dispute
    ON its_dispute.id = its_read.dispute_id AND its_dispute.state = 'open' WHERE its_read.photo_id = ${photoId})`;
}

/** The conditions of the indexes `dispute_open_visit` and `dispute_open_invoice`. */
const OPEN_ABOUT_VISIT = sql.raw(`open_dispute.state = 'open' AND open_dispute.visit_id IS NOT NULL`);
const OPEN_ABOUT_INVOICE = sql.raw(`open_dispute.state = 'open' AND open_dispute.invoice_id IS NOT NULL`);

/**
 * The time from which a term that runs against the driver counts again: a dispute stops it. Null: it is
 * stopped now.
 */
export async function resumedAfterDispute(
  q: Queries,
  visitId: string,
  since: UtcTime,
): Promise<UtcTime | null> {
  const newest = await newestDispute(q, visitId);
  if (newest === null) return since;
  if (newest.state === 'open') return null;
  return newest.answeredAt !== null && newest.answeredAt > since ? newest.answeredAt : since;
}
