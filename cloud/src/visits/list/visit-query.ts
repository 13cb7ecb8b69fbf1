import { eq } from 'drizzle-orm';
import { customerTable } from '../../customers/customer-table.ts';
import { askedPeriod } from '../../day-span.ts';
import type { Queries } from '../../db/db.ts';
import { plateRange } from '../../db/search-key.ts';
import { type OwnRows, sitesOf } from '../../http/caller.ts';
import { PAGE_ROWS } from '../../http/list-envelope.ts';
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
  const { plate, status, collection } = query;
  const sites = askedSites(own, query.siteId);
  if (sites === null) return null;

  const filters: VisitFilters = {
    status,
    collection: collection === 'latest' || collection === 'export' ? undefined : collection,
    paymentStatus: query['payment.status'],
    invoiceStatus: query['invoice.status'],
    cardLastFour: query['card.lastFour'],
    ssn: query.ssn,
    customerOfSsn: query.ssn === undefined ? undefined : await customerOfSsn(q, query.ssn),
    ...sites,
    customerId: own.all ? undefined : (own.customerId ?? undefined),
    ...(plate !== undefined && readPlate(plate)),
    ...(await readPeriod(q, query)),
  };
  return { filters, plate };
}

/** The sites that are asked for and may be seen; null: none is. */
function askedSites(
  own: OwnRows,
  asked: string | undefined,
): Pick<VisitFilters, 'siteId' | 'siteIds'> | null {
  const siteIds = sitesOf(own);
  if (siteIds === null) return { siteId: asked };
  if (asked !== undefined) return siteIds.includes(asked) ? { siteId: asked } : null;
  // One site has an index of its own.
  return siteIds.length === 1 ? { siteId: siteIds[0] } : { siteIds: JSON.stringify(siteIds) };
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
