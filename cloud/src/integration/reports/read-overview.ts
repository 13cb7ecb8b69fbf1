import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { isAlarm } from '@hlid/protocol/records/device';
import { z } from '@hono/zod-openapi';
import { dayEnds } from '../../platform/day-span.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import { asc } from '../../platform/db/sql.ts';
import { hasPermission, type OperatorRights, type OwnRows, seesSite } from '../../platform/http/caller.ts';
import { type RefusedInput, refusedInput } from '../../platform/refused.ts';
import { NO_SUCH_SITE } from '../../records/sites/choose-site.ts';
import { siteTable } from '../../records/sites/site-table.ts';
import { daysOfOutage } from '../../records/totals/count-outage.ts';
import { noCounters } from '../../records/totals/stay-totals.ts';
import { rowsOfReport } from '../../sites/sites/sites-in-use.ts';
import { ArchivedQuerySchema } from './archived-query.ts';
import { openOutage } from './device-outages.ts';
import { devicesOf, outageDays } from './device-totals-store.ts';
import { daysBetween, periodsOf } from './income-periods.ts';
import { OVERVIEW_BY, type Overview, type OverviewSpan } from './overview-report.ts';
import { COMPARED, type Compared, type DaySpan, spanBefore } from './overview-spans.ts';
import { type DayTotal, dayTotals, growthOfDays } from './overview-store.ts';
import { type IncomeSums, readIncomeSums } from './read-income.ts';
import { type CountedDays, figuresOfPeriods, stayFigures } from './stay-figures.ts';

/** A year, and the same day of the next. */
const MAX_DAYS = 367;

export const OverviewQuerySchema = z.strictObject({
  'date.from': z.iso.date().describe('The first day, in the time zone of each site.'),
  'date.to': z.iso.date().describe('The last day; included.'),
  siteId: z.string().optional().describe('Only this site.'),
  archived: ArchivedQuerySchema,
  by: z.enum(OVERVIEW_BY).default('day').describe('The periods; weeks as in ISO 8601.'),
});
export type OverviewQuery = z.infer<typeof OverviewQuerySchema>;

/** A site as reports by the clock know it. */
export interface ReportedSite {
  id: string;
  name: string;
  timeZone: string;
}

interface Asked {
  own: OwnRows;
  rights: OperatorRights;
  now: UtcTime;
}

/** How the caller's sites are doing, beside the same days before; from totals alone. */
export async function readOverview(
  db: Db,
  query: OverviewQuery,
  asked: Asked,
): Promise<{ ok: true; overview: Overview } | RefusedInput> {
  const span = { from: query['date.from'], to: query['date.to'] };
  if (daysBetween(span.from, span.to) > MAX_DAYS) {
    return refusedInput(mistake('too-many-days', ['date.to'], { days: MAX_DAYS }));
  }
  const sites = await db.read((q) => reportedSites(q, query, asked.own));
  if (query.siteId !== undefined && sites.length === 0) return refusedInput(NO_SUCH_SITE);
  const read = (one: DaySpan) => readSpan(db, query, one, { ...asked, sites });
  const now = await read(span);
  if (!now.ok) return now;
  const before: Record<Compared, OverviewSpan | null> = { week: null, month: null, year: null };
  for (const compared of COMPARED) {
    const other = spanBefore(span, compared);
    if (other === null) continue;
    const found = await read(other);
    if (!found.ok) return found;
    before[compared] = found.span;
  }
  const devices = hasPermission(asked.rights, 'visits') ? await devicesNow(db, sites) : null;
  return { ok: true, overview: { by: query.by, now: now.span, before, devices } };
}

/** The sites that a report counts for its caller. */
export async function reportedSites(
  q: Queries,
  { siteId, archived }: Pick<OverviewQuery, 'siteId' | 'archived'>,
  own: OwnRows,
): Promise<ReportedSite[]> {
  const { id, name, timeZone } = siteTable;
  const all = await q.select({ id, name, timeZone }).from(siteTable).orderBy(asc(name), asc(id));
  const rows = await rowsOfReport(q, own, { siteId, archived });
  return all.filter((site) => seesSite(rows, site.id) && (siteId === undefined || site.id === siteId));
}

async function readSpan(
  db: Db,
  query: OverviewQuery,
  span: DaySpan,
  { own, rights, now, sites }: Asked & { sites: readonly ReportedSite[] },
): Promise<{ ok: true; span: OverviewSpan } | RefusedInput> {
  let income: IncomeSums | null = null;
  if (hasPermission(rights, 'money')) {
    const read = await readIncomeSums(db, { ...query, 'date.from': span.from, 'date.to': span.to }, own);
    if (!read.ok) return read;
    income = read.report;
  }
  const zones = hasPermission(rights, 'visits')
    ? await db.read((q) => countedDays(q, sites, span, now))
    : null;
  const periods = periodsOf(query.by, span.from, span.to);
  const stays = zones && figuresOfPeriods(zones, periods, now);
  return {
    ok: true,
    span: {
      ...span,
      income: income?.total.amounts ?? null,
      stays: zones && stayFigures(zones, span, now),
      payments:
        income?.paymentTypeReport.map(({ paymentType, amounts }) => ({ paymentType, amounts })) ?? null,
      periods: periods.map(({ key, from, to }, place) => ({
        key,
        from,
        to,
        income: income?.total.periods[place]?.amounts ?? null,
        stays: stays?.[place] ?? null,
      })),
    },
  };
}

/** The days of the sites of each time zone, and the cars that were inside before. */
async function countedDays(
  q: Queries,
  sites: readonly ReportedSite[],
  span: DaySpan,
  now: UtcTime,
): Promise<CountedDays[]> {
  const zones: CountedDays[] = [];
  for (const timeZone of new Set(sites.map((site) => site.timeZone))) {
    const ids = sites.filter((site) => site.timeZone === timeZone).map(({ id }) => id);
    const down = await downtimeOfDays(q, ids, span, { timeZone, now });
    zones.push({
      days: withDowntime(await dayTotals(q, ids, span), down),
      insideBefore: await growthOfDays(q, ids, { from: '', before: span.from }),
      endOf: dayEnds(span, timeZone),
    });
  }
  return zones;
}

/** How long devices were down on each day, with the outages that go on. */
async function downtimeOfDays(
  q: Queries,
  siteIds: readonly string[],
  span: DaySpan,
  { timeZone, now }: { timeZone: string; now: UtcTime },
): Promise<Map<string, number>> {
  const down = new Map((await outageDays(q, siteIds, span)).map(({ day, downMs }) => [day, downMs]));
  for (const device of await devicesOf(q, siteIds)) {
    const outage = openOutage(device, span, timeZone, now);
    if (outage === null) continue;
    for (const { day, downMs } of daysOfOutage(outage, timeZone)) {
      down.set(day, (down.get(day) ?? 0) + downMs);
    }
  }
  return down;
}

function withDowntime(
  days: Awaited<ReturnType<typeof dayTotals>>,
  down: ReadonlyMap<string, number>,
): DayTotal[] {
  const counted = new Set(days.map(({ day }) => day));
  const others = [...down.keys()].filter((day) => !counted.has(day));
  return [...days, ...others.map((day) => ({ day, ...noCounters() }))]
    .map((day) => ({ ...day, downMs: down.get(day.day) ?? 0 }))
    .sort((one, other) => (one.day < other.day ? -1 : 1));
}

async function devicesNow(db: Db, sites: readonly ReportedSite[]): Promise<Overview['devices']> {
  const ids = sites.map(({ id }) => id);
  const devices = await db.read((q) => devicesOf(q, ids));
  return { devices: devices.length, failing: devices.filter(({ state }) => isAlarm(state)).length };
}
