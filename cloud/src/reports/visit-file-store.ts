import { and, eq, sql } from 'drizzle-orm';
import { customerTable } from '../customers/customer-table.ts';
import type { Queries } from '../db/db.ts';
import { beyond, inDirection, type ListOrder } from '../http/keyset.ts';
import { invoiceTable } from '../invoices/invoice-table.ts';
import { siteTable } from '../sites/site-table.ts';
import { newestInvoiceId } from '../visits/newest-invoice-id.ts';
import { conditionsOf, type VisitFilters } from '../visits/visit-filters.ts';
import { visitTable as t } from '../visits/visit-table.ts';

const ORDER: ListOrder = { at: t.startedAt, id: t.id };

/** Where a page of the file ended. */
export interface FilePlace {
  at: string;
  id: string;
}

function selectRows(q: Queries, filters: VisitFilters, onward: boolean) {
  const place = { rank: undefined, at: sql.placeholder('cursorAt'), id: sql.placeholder('cursorId') };
  return q
    .select({
      id: t.id,
      plate: t.plate,
      startedAt: t.startedAt,
      endedAt: t.endedAt,
      status: t.status,
      paymentStatus: t.paymentStatus,
      amountMinor: t.amountMinor,
      currency: t.currency,
      category: t.vehicleCategory,
      flags: t.flags,
      site: siteTable.name,
      timeZone: siteTable.timeZone,
      customer: customerTable.name,
      invoice: {
        number: invoiceTable.number,
        amountMinor: invoiceTable.amountMinor,
        currency: invoiceTable.currency,
        status: invoiceTable.status,
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

export type VisitFileRow = Awaited<ReturnType<ReturnType<typeof selectRows>['all']>>[number];

/**
 * Rows of the file, oldest first, from a place on. Built once for a file; to be used on one connection after another.
 */
export async function visitFileRows(
  q: Queries,
  filters: VisitFilters,
  after: FilePlace | null,
  limit: number,
): Promise<VisitFileRow[]> {
  // The index is entered at the place, not at the beginning of the period over and over.
  const from = after?.at ?? filters.from;
  return await selectRows(q, { ...filters, from }, after !== null).all({
    ...filters,
    from,
    limit,
    cursorAt: after?.at,
    cursorId: after?.id,
  });
}
