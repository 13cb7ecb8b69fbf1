import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { costOf } from '@hlid/protocol/tariff/price-line';
import { listed } from '../../platform/db/compact-columns.ts';
import type { Queries } from '../../platform/db/db.ts';
import { and, eq, isNull, sql } from '../../platform/db/sql.ts';
import { ALL_ROWS } from '../../platform/http/caller.ts';
import { beyond, inDirection, type ListOrder } from '../../platform/http/keyset.ts';
import { customerTable } from '../../records/customers/customer-table.ts';
import { chargeTable } from '../../records/invoices/charge-table.ts';
import { invoiceTable } from '../../records/invoices/invoice-table.ts';
import { siteTable } from '../../records/sites/site-table.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import { visitTable as t } from '../../records/visits/visit-table.ts';
import { leastDue } from '../../stays/visits/list/due-visits.ts';
import { newestInvoiceId } from '../../stays/visits/list/newest-invoice-id.ts';
import { ListPricer } from '../../stays/visits/list/shown-price.ts';
import { conditionsOf, type VisitFilters } from '../../stays/visits/list/visit-filters.ts';
import { stayCost, stayDue, toPrice } from '../../stays/visits/list/visit-json.ts';

/**
 * The amount that issued invoices ask for the visit, or asked until it was paid; collected ones are for many
 * others too.
 */
const invoicedForVisit = sql<number>`(
  (SELECT coalesce(sum(${invoiceTable.amountMinor}), 0) FROM ${invoiceTable}
    WHERE ${eq(invoiceTable.visitId, t.id)} AND ${invoiceTable.number} IS NOT NULL
      AND +${invoiceTable.status} <> 'refunded') +
  (SELECT coalesce(sum(${chargeTable.amountMinor} - ${chargeTable.discountMinor}), 0)
    FROM ${chargeTable} JOIN ${invoiceTable} ON ${eq(invoiceTable.id, chargeTable.invoiceId)}
    WHERE ${eq(chargeTable.visitId, t.id)} AND ${isNull(chargeTable.creditedBy)} AND +${invoiceTable.status} <> 'refunded'))`;

const ORDER: ListOrder = { at: t.startedAt, id: t.id, byRow: true };

/** The last row of a page of the file: the next page begins after it. */
export interface FilePlace {
  at: string;
  id: string;
}

function selectRows(q: Queries, filters: VisitFilters, onward: boolean) {
  const place = { rank: undefined, at: sql.placeholder('cursorAt'), id: sql.placeholder('cursorId') };
  return q
    .select({
      ...listed({ id: t.id }),
      plate: t.plate,
      startedAt: t.startedAt,
      endedAt: t.endedAt,
      status: t.status,
      paymentStatus: t.paymentStatus,
      price: t.price,
      amountMinor: t.amountMinor,
      dueMinor: stayDue,
      toPrice,
      currency: t.currency,
      invoicedMinor: invoicedForVisit,
      category: t.vehicleCategory,
      flags: t.flags,
      site: siteTable.name,
      timeZone: siteTable.timeZone,
      customer: customerTable.name,
      invoice: {
        number: invoiceTable.number,
        currency: invoiceTable.currency,
        status: invoiceTable.status,
        paymentType: invoiceTable.paymentType,
      },
    })
    .from(t)
    .leftJoin(siteTable, eq(siteTable.id, t.siteId))
    .leftJoin(customerTable, eq(customerTable.id, t.customerId))
    .leftJoin(invoiceTable, eq(invoiceTable.id, newestInvoiceId))
    .where(and(conditionsOf(filters), onward ? beyond(ORDER, 'newer', place) : undefined))
    .orderBy(...inDirection(ORDER, 'newer'))
    .limit(sql.placeholder('limit'))
    .prepare();
}

type SelectedRow = Awaited<ReturnType<ReturnType<typeof selectRows>['all']>>[number];
/** `priceMinor`: what the stay cost, before anything is paid. */
export type VisitFileRow = Omit<SelectedRow, 'price' | 'amountMinor'> & { priceMinor: number | null };

export interface VisitFilePage {
  rows: VisitFileRow[];
  /** The last row of this page; null: there are no more rows. */
  place: FilePlace | null;
}

/** Rows of the file, oldest first, from a place on. */
export async function visitFileRows(
  q: Queries,
  filters: VisitFilters,
  after: FilePlace | null,
  limit: number,
  now: UtcTime,
): Promise<VisitFilePage> {
  // The index is entered at the place, not at the beginning of the period over and over.
  const from = after?.at ?? filters.from;
  const rows = await selectRows(q, { ...filters, from }, after !== null).all({
    ...filters,
    from,
    limit,
    cursorAt: after?.at,
    cursorId: after?.id,
  });
  const pricer = new ListPricer(q, now);
  const least = leastDue(filters);
  const priced: VisitFileRow[] = [];
  for (const { price, amountMinor, ...row } of rows) {
    const stored = { ...row, priceMinor: price && stayCost(price.lines, amountMinor ?? price.amountMinor) };
    const shown = row.toPrice ? { ...stored, ...(await amountsNow(q, row.id, pricer)) } : stored;
    if (least === null || (shown.dueMinor ?? 0) >= least) priced.push(shown);
  }
  const last = rows.at(-1);
  const isLast = last === undefined || rows.length < limit;
  return { rows: priced, place: isLast ? null : { at: last.startedAt, id: last.id } };
}

async function amountsNow(q: Queries, id: string, pricer: ListPricer) {
  const visit = await findVisitRow(q, id, ALL_ROWS);
  if (visit === null) return {};
  const { due, price } = await pricer.due(visit, true);
  const { amountMinor: dueMinor, currency } = due;
  return { dueMinor, currency, ...(price && { priceMinor: costOf(price.lines) }) };
}
