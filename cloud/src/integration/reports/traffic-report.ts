import { anySignal } from '@hlid/node/deadline';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import type { Db } from '../../platform/db/db.ts';
import type { Scans } from '../../platform/db/scans.ts';
import { asc } from '../../platform/db/sql.ts';
import { type OwnRows, seesSite } from '../../platform/http/caller.ts';
import { type RefusedInput, refusedInput } from '../../platform/refused.ts';
import { NO_SUCH_SITE } from '../../records/sites/choose-site.ts';
import { siteTable } from '../../records/sites/site-table.ts';
import { rowsOfReport } from '../../sites/sites/sites-in-use.ts';
import { ArchivedQuerySchema } from './archived-query.ts';
import { daysBetween } from './income-periods.ts';
import { TRAFFIC_SCAN } from './scan-keys.ts';
import { type TrafficHour, WEEK_HOURS } from './scan-traffic.ts';

/** A year, and the same day of the next. */
const MAX_DAYS = 367;
/** The max time that a caller waits. */
const WITHIN_MS = 20_000;

export const TrafficQuerySchema = z.strictObject({
  'date.from': z.iso.date().describe('The first day, in the time zone of each site.'),
  'date.to': z.iso.date().describe('The last day; included.'),
  siteId: z.string().optional().describe('Only this site.'),
  archived: ArchivedQuerySchema,
});

const CountSchema = z.int().min(0);
const AverageSchema = z.number().min(0).nullable();

const TrafficHourSchema = z
  .strictObject({
    weekday: z.int().min(1).max(7).describe('1 Monday to 7 Sunday.'),
    hour: z
      .int()
      .min(0)
      .max(23)
      .describe('The full hour on the clock of the site at which the period begins.'),
    arrivals: CountSchema,
    departures: CountSchema,
    arrivalsPerHour: AverageSchema.describe('The average; null: there was no such hour.'),
    departuresPerHour: AverageSchema,
    inside: AverageSchema.describe('The average number of cars inside.'),
  })
  .meta({ id: 'TrafficHour' });

export const TrafficReportSchema = z
  .strictObject({
    total: z.strictObject({ arrivals: CountSchema, departures: CountSchema }),
    hours: z.array(TrafficHourSchema).length(WEEK_HOURS).describe('Monday from midnight first.'),
  })
  .meta({ id: 'TrafficReport' });
export type TrafficReport = z.infer<typeof TrafficReportSchema>;

/**
 * Cars by the hour of the week at the caller's sites, each on its own clock. @param signal aborted if the
 * caller is gone
 */
export async function readTraffic(
  { db, scans }: { db: Db; scans: Scans },
  query: z.infer<typeof TrafficQuerySchema>,
  { own, now, signal }: { own: OwnRows; now: UtcTime; signal: AbortSignal },
): Promise<{ ok: true; report: TrafficReport } | RefusedInput> {
  const { 'date.from': from, 'date.to': to, siteId, archived } = query;
  if (daysBetween(from, to) > MAX_DAYS) {
    return refusedInput(mistake('too-many-days', ['date.to'], { days: MAX_DAYS }));
  }
  const { all, rows } = await db.read(async (q) => ({
    all: await q
      .select({ id: siteTable.id, timeZone: siteTable.timeZone })
      .from(siteTable)
      .orderBy(asc(siteTable.id)),
    rows: await rowsOfReport(q, own, { siteId, archived }),
  }));
  const sites = all.filter(({ id }) => seesSite(rows, id) && (siteId === undefined || id === siteId));
  if (siteId !== undefined && sites.length === 0) return refusedInput(NO_SUCH_SITE);

  const deadline = AbortSignal.timeout(WITHIN_MS);
  const weeks: TrafficHour[][] = [];
  try {
    const scan = scans.run(TRAFFIC_SCAN, { sites, from, to, now }, anySignal([signal, deadline]));
    for await (const week of scan) weeks.push(week);
  } catch (error) {
    if (!deadline.aborted || signal.aborted) throw error;
    return refusedInput(mistake('counting-too-long', ['date.from'], { seconds: WITHIN_MS / 1000 }));
  }
  return { ok: true, report: reportOf(weeks) };
}

function reportOf(weeks: readonly TrafficHour[][]): TrafficReport {
  const hours = Array.from({ length: WEEK_HOURS }, (_, at) => {
    const ofSites = weeks.flatMap((week) => week[at] ?? []).filter(({ quarters }) => quarters > 0);
    const sum = (name: 'arrivals' | 'departures') => ofSites.reduce((all, one) => all + one[name], 0);
    // Sites have been there for different times: the averages of each are added.
    const average = (of: (hour: TrafficHour) => number) =>
      ofSites.length === 0 ? null : rounded(ofSites.reduce((all, one) => all + of(one), 0));
    return {
      weekday: Math.floor(at / 24) + 1,
      hour: at % 24,
      arrivals: sum('arrivals'),
      departures: sum('departures'),
      arrivalsPerHour: average((hour) => hour.arrivals / hoursOf(hour)),
      departuresPerHour: average((hour) => hour.departures / hoursOf(hour)),
      inside: average(({ inside, quarters }) => inside / quarters),
    };
  });
  const total = (name: 'arrivals' | 'departures') => hours.reduce((all, one) => all + one[name], 0);
  return { total: { arrivals: total('arrivals'), departures: total('departures') }, hours };
}

/** How often there was such an hour. The first may have only begun: its cars are not multiplied. */
function hoursOf({ quarters }: TrafficHour): number {
  return Math.max(quarters / 4, 1);
}

function rounded(average: number): number {
  return Math.round(average * 100) / 100;
}
