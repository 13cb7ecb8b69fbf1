import { DAY_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { foldPlate } from '@hlid/protocol/plate/plate';
import { nearKeys } from '@hlid/protocol/plate/plate-search';
import { askedPeriod } from '../../../platform/day-span.ts';
import type { Queries } from '../../../platform/db/db.ts';
import { plateRange } from '../../../platform/db/search-key.ts';
import { eq } from '../../../platform/db/sql.ts';
import { type OwnRows, sitesOf } from '../../../platform/http/caller.ts';
import { PAGE_ROWS } from '../../../platform/http/list-envelope.ts';
import { customerTable } from '../../../records/customers/customer-table.ts';
import { commonTimeZone, siteById } from '../../../records/sites/choose-site.ts';
import { usesOfLane } from '../../../records/visits/find-visits.ts';
import { STAY_PERIOD_MS } from '../../../records/visits/visit-table.ts';
import { isByStart, type VisitFilters, type VisitQuery } from './visit-filters.ts';
import type { VisitListQuestion } from './visit-list-store.ts';

const EXPORT_ROWS = 1000;

/** Rows on a page of that query. */
export function rowsOnPage({ collection }: VisitQuery): number {
  return collection === 'export' ? EXPORT_ROWS : PAGE_ROWS;
}

/**
 * The filters of a query for its caller: its own visits only, days where the site is. Null: the caller has no
 * visits at all.
 */
export async function readVisitQuery(
  q: Queries,
  query: VisitQuery,
  own: OwnRows,
  now: UtcTime,
): Promise<VisitListQuestion | null> {
  const { plate, near, prefix, flag, laneId, insideAt, status, collection, order, customerId } = query;
  if (!own.all && (own.customerId === null || (customerId ?? own.customerId) !== own.customerId)) return null;
  const sites = askedSites(own, query.siteId);
  if (sites === null) return null;

  const period = await readPeriod(q, query);
  const filters: VisitFilters = {
    status,
    collection: collection === 'latest' || collection === 'export' ? undefined : collection,
    paymentStatus: query['payment.status'],
    invoiceStatus: query['invoice.status'],
    cardLastFour: query['card.lastFour'],
    ssn: query.ssn,
    customerOfSsn: query.ssn === undefined ? undefined : await customerOfSsn(q, query.ssn),
    ...sites,
    customerId: own.all ? customerId : (own.customerId ?? undefined),
    ...(plate !== undefined && readPlate(plate)),
    ...(near !== undefined && { plateKeys: JSON.stringify([foldPlate(near), ...nearKeys(near)]) }),
    ...(prefix !== undefined && readPrefix(prefix)),
    ...(flag !== undefined && { flag: JSON.stringify(flag) }),
    ...(laneId !== undefined && { laneId, laneUse: await usesOfLane(q, laneId) }),
    ...(insideAt !== undefined && { insideAt, insidePeriod: periodOf(insideAt) }),
    ...(query['amount.min'] !== undefined && { amountMin: query['amount.min'] }),
    ...(order === undefined || order === 'newest' ? {} : { order }),
    ...period,
    ...(!isByStart({ order }) && isShort(period.from, period.before, now) && { started: 'short' as const }),
    ...(await readEnd(q, query, now)),
  };
  return { filters, plate: plate ?? near };
}

/** The sites that are asked for and may be seen; null: none is. */
function askedSites(
  own: OwnRows,
  asked: string | undefined,
): Pick<VisitFilters, 'siteId' | 'siteIds'> | null {
  const siteIds = sitesOf(own);
  if (siteIds === null) return { siteId: asked };
  if (asked !== undefined) return siteIds.includes(asked) ? { siteId: asked } : null;
  // One site has a separate index.
  return siteIds.length === 1 ? { siteId: siteIds[0] } : { siteIds: JSON.stringify(siteIds) };
}

function readPlate(plate: string): Pick<VisitFilters, 'plateFrom' | 'plateBefore' | 'plateInMiddle'> {
  const { from, before, inMiddle } = plateRange(plate);
  return { plateFrom: from, plateBefore: before, ...(inMiddle && { plateInMiddle: true }) };
}

function readPrefix(prefix: string): Pick<VisitFilters, 'prefixFrom' | 'prefixBefore'> {
  const { from, before } = plateRange(prefix);
  return { prefixFrom: from, prefixBefore: before };
}

async function customerOfSsn(q: Queries, ssn: string): Promise<string | undefined> {
  const [customer] = await q
    .select({ id: customerTable.id })
    .from(customerTable)
    .where(eq(customerTable.ssn, ssn));
  return customer?.id;
}

async function readPeriod(q: Queries, query: VisitQuery): Promise<Pick<VisitFilters, 'from' | 'before'>> {
  const { date, 'date.from': first, 'date.to': last } = query;
  if (date === undefined && first === undefined && last === undefined) return {};
  const timeZone = await timeZoneOf(q, query);
  const day = askedPeriod({ first: date, last: date }, timeZone);
  const period = askedPeriod({ first, last }, timeZone);
  return { from: latest(day.from, period.from), before: earliest(day.before, period.before) };
}

/** More days of visits are not sorted: a list in order of their starts finds a page of them sooner. */
const SORTED_UP_TO_MS = 40 * DAY_MS;

async function readEnd(
  q: Queries,
  query: VisitQuery,
  now: UtcTime,
): Promise<Pick<VisitFilters, 'endedFrom' | 'endedBefore' | 'ended'>> {
  const { 'ended.from': first, 'ended.to': last } = query;
  if (first === undefined && last === undefined) return {};
  const { from, before } = askedPeriod({ first, last }, await timeZoneOf(q, query));
  return { endedFrom: from, endedBefore: before, ended: isShort(from, before, now) ? 'short' : 'long' };
}

function isShort(from: string | undefined, before: string | undefined, now: UtcTime): boolean {
  return from !== undefined && millis(before ?? now) - millis(from) <= SORTED_UP_TO_MS;
}

async function timeZoneOf(q: Queries, { siteId }: VisitQuery): Promise<string> {
  const site = siteId === undefined ? null : await siteById(q, siteId);
  return site?.timeZone ?? (await commonTimeZone(q));
}

function latest(a: string | undefined, b: string | undefined): string | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a;
}

function earliest(a: string | undefined, b: string | undefined): string | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a;
}

function periodOf(at: UtcTime): UtcTime {
  return utcTime(millis(at) - (millis(at) % STAY_PERIOD_MS));
}
