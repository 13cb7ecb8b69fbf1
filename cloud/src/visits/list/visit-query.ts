import { eq } from 'drizzle-orm';
import { customerTable } from '../../customers/customer-table.ts';
import { askedPeriod } from '../../day-span.ts';
import type { Queries } from '../../db/db.ts';
import type { OwnRows } from '../../http/caller.ts';
import { PAGE_ROWS } from '../../http/list-envelope.ts';
import { plateRange } from '../../http/search-key.ts';
import { commonTimeZone, siteById } from '../../sites/choose-site.ts';
import type { VisitFilters, VisitQuery } from './visit-filters.ts';
import type { VisitListQuestion } from './visit-list-store.ts';

const EXPORT_ROWS = 1000;

/** Rows on a page of that query. */
export function rowsOnPage({ collection }: VisitQuery): number {
  return collection === 'export' ? EXPORT_ROWS : PAGE_ROWS;
}

/**
 * What a query means to its caller: its own visits only, days where the site is. Null: the caller has no visits at
 * all.
 */
export async function readVisitQuery(
  q: Queries,
  query: VisitQuery,
  own: OwnRows,
): Promise<VisitListQuestion | null> {
  if (!own.all && own.customerId === null) return null;
  const { plate, status, collection, siteId } = query;
  const filters: VisitFilters = {
    status,
    collection: collection === 'latest' || collection === 'export' ? undefined : collection,
    paymentStatus: query['payment.status'],
    invoiceStatus: query['invoice.status'],
    cardLastFour: query['card.lastFour'],
    ssn: query.ssn,
    customerOfSsn: query.ssn === undefined ? undefined : await customerOfSsn(q, query.ssn),
    siteId,
    customerId: own.all ? undefined : (own.customerId ?? undefined),
    ...(plate !== undefined && readPlate(plate)),
    ...(await readPeriod(q, query)),
  };
  return { filters, plate };
}

function readPlate(plate: string): Pick<VisitFilters, 'plateFrom' | 'plateBefore' | 'plateInMiddle'> {
  const { from, before, inMiddle } = plateRange(plate);
  return { plateFrom: from, plateBefore: before, ...(inMiddle && { plateInMiddle: true }) };
}

async function customerOfSsn(q: Queries, ssn: string): Promise<string | undefined> {
  const [customer] = await q
    .select({ id: customerTable.id })
    .from(customerTable)
    .where(eq(customerTable.ssn, ssn));
  return customer?.id;
}

async function readPeriod(q: Queries, query: VisitQuery): Promise<Pick<VisitFilters, 'from' | 'before'>> {
  const { date, 'date.from': first, 'date.to': last, siteId } = query;
  if (date === undefined && first === undefined && last === undefined) return {};
  const site = siteId === undefined ? null : await siteById(q, siteId);
  const timeZone = site?.timeZone ?? (await commonTimeZone(q));
  const day = askedPeriod({ first: date, last: date }, timeZone);
  const period = askedPeriod({ first, last }, timeZone);
  return { from: latest(day.from, period.from), before: earliest(day.before, period.before) };
}

function latest(a: string | undefined, b: string | undefined): string | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a;
}

function earliest(a: string | undefined, b: string | undefined): string | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a;
}
