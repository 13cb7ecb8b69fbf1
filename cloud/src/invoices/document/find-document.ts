import type { UtcTime } from '@hlid/protocol/utc-time';
import { eq, inArray } from 'drizzle-orm';
import type { Queries } from '../../db/db.ts';
import type { OwnRows } from '../../http/caller.ts';
import { commonTimeZone } from '../../sites/choose-site.ts';
import { siteTable } from '../../sites/site-table.ts';
import { visitTable } from '../../visits/record/visit-table.ts';
import { daysOf } from '../billing/billing-period.ts';
import { findInvoice } from '../find-invoice.ts';
import { type Seller, sellersOf } from '../invoice-content.ts';
import type { InvoiceWithCustomer } from '../invoice-store.ts';

/** What an invoice is for, as its document says it. */
export interface DocumentStay {
  site: string;
  timeZone: string;
  startedAt: UtcTime;
  endedAt: UtcTime | null;
}

/** What the document of an invoice shows. */
export interface InvoiceDocument {
  invoice: InvoiceWithCustomer;
  sellers: Seller[];
  /** By the id of the visit. */
  stays: ReadonlyMap<string, DocumentStay>;
  /** For the times of the invoice itself. */
  timeZone: string;
  /** The first and the last day of a collected invoice. */
  days: readonly [string, string] | null;
}

/** The document of an invoice that the caller may see. */
export async function findInvoiceDocument(
  q: Queries,
  id: string,
  own: OwnRows,
): Promise<InvoiceDocument | null> {
  const invoice = await findInvoice(q, id, own);
  if (invoice === null) return null;
  const { periodFrom, periodBefore, incomeParts } = invoice;
  const timeZone = await commonTimeZone(q);
  const period =
    periodFrom === null || periodBefore === null ? null : { from: periodFrom, before: periodBefore };
  return {
    invoice,
    sellers: await sellersOf(
      q,
      incomeParts.flatMap(({ siteId }) => siteId ?? []),
    ),
    stays: await staysOf(
      q,
      invoice.lines.flatMap(({ visitId }) => visitId ?? []),
    ),
    timeZone,
    days: period && daysOf(period, timeZone),
  };
}

/** A statement has room for so many marks at least. */
const ASKED_AT_ONCE = 500;

async function staysOf(q: Queries, visitIds: readonly string[]): Promise<Map<string, DocumentStay>> {
  const { id, siteId, startedAt, endedAt } = visitTable;
  const { name, timeZone } = siteTable;
  const stays = new Map<string, DocumentStay>();
  for (let from = 0; from < visitIds.length; from += ASKED_AT_ONCE) {
    const rows = await q
      .select({ id, site: name, timeZone, startedAt, endedAt })
      .from(visitTable)
      .innerJoin(siteTable, eq(siteTable.id, siteId))
      .where(inArray(id, visitIds.slice(from, from + ASKED_AT_ONCE)));
    for (const { id: visitId, ...stay } of rows) stays.set(visitId, stay);
  }
  return stays;
}
