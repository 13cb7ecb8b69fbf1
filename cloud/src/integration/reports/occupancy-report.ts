import { HOUR_MS } from '@hlid/protocol/base/durations';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { millis, type UtcTime, UtcTimeSchema, utcTime } from '@hlid/protocol/base/utc-time';
import { carsInside } from '@hlid/protocol/site-link/occupancy';
import { z } from '@hono/zod-openapi';
import { daySpan } from '../../platform/day-span.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import { type OwnRows, seesSite } from '../../platform/http/caller.ts';
import { MomentSchema } from '../../platform/http/input-fields.ts';
import { type RefusedInput, refusedInput } from '../../platform/refused.ts';
import { NO_SUCH_SITE, siteById } from '../../records/sites/choose-site.ts';
import { QUARTER_MS, quarterOf } from '../../records/totals/stay-totals.ts';
import { type CountedZone, countedZones } from '../../sites/zones/zone-occupancy.ts';
import { daysBetween } from './income-periods.ts';
import {
  correctedAfter,
  insideAtQuarter,
  type LaneGrowth,
  laneQuarters,
  movedWithin,
} from './occupancy-store.ts';

/** Hours of about a month: a chart of more is not readable. */
const MAX_DAYS = 31;

export const OccupancyQuerySchema = z.strictObject({
  siteId: z.string(),
  at: MomentSchema.optional().describe('Default: now.'),
});

export const OccupancyHoursQuerySchema = z.strictObject({
  siteId: z.string(),
  'date.from': z.iso.date().describe('The first day, in the time zone of the site.'),
  'date.to': z.iso.date().describe('The last day; included.'),
});

const CountSchema = z.int().min(0);
const AverageSchema = z.number().min(0);
const CapacitySchema = z.int().min(0).nullable().describe('Null: not set.');
const ZoneIdSchema = z.string();

const insideFields = {
  inside: CountSchema.describe('The number of cars, with the corrections of people until then.'),
  counted: CountSchema.describe('Visits that were open then; voided ones are not.'),
};

export const OccupancyReportSchema = z
  .strictObject({
    siteId: z.string(),
    at: UtcTimeSchema,
    capacity: CapacitySchema,
    ...insideFields,
    zones: z
      .array(
        z.strictObject({ id: ZoneIdSchema, name: z.string(), capacity: CapacitySchema, ...insideFields }),
      )
      .describe('The zones, by the lanes and capacities that they have now.'),
  })
  .meta({
    id: 'OccupancyReport',
    example: {
      siteId: '00000001-0000-8000-8000-000000000000',
      at: '2026-11-21T12:00:00.000Z',
      capacity: 120,
      inside: 41,
      counted: 40,
      zones: [{ id: 'z1', name: 'Level 1', capacity: 60, inside: 21, counted: 20 }],
    },
  });
export type OccupancyReport = z.infer<typeof OccupancyReportSchema>;

const HourCountsSchema = z
  .strictObject({
    arrivals: CountSchema,
    departures: CountSchema,
    inside: AverageSchema.describe('The average number of cars inside.'),
    most: CountSchema.describe(
      'The largest number at the end of a quarter of the hour, or at its beginning.',
    ),
  })
  .meta({ id: 'OccupancyCounts', example: { arrivals: 12, departures: 9, inside: 38.25, most: 41 } });
type HourCounts = z.infer<typeof HourCountsSchema>;

export const OccupancyHoursSchema = z
  .strictObject({
    siteId: z.string(),
    timeZone: z.string(),
    capacity: CapacitySchema,
    zones: z.array(z.strictObject({ id: ZoneIdSchema, name: z.string(), capacity: CapacitySchema })),
    hours: z
      .array(
        z.strictObject({
          from: UtcTimeSchema,
          site: HourCountsSchema,
          zones: z.array(HourCountsSchema).describe('The counts of the zones, in the order of `zones`.'),
        }),
      )
      .describe('The hours that have begun, in order.'),
  })
  .meta({ id: 'OccupancyHours' });
export type OccupancyHours = z.infer<typeof OccupancyHoursSchema>;

interface CountedSite {
  id: string;
  timeZone: string;
  capacity: number | null;
  zones: readonly CountedZone[];
}

/** The cars inside a site and its zones at a moment. */
export async function readOccupancy(
  db: Db,
  { siteId, at: asked }: z.infer<typeof OccupancyQuerySchema>,
  own: OwnRows,
  now: UtcTime,
): Promise<{ ok: true; report: OccupancyReport } | RefusedInput> {
  const at = asked === undefined || asked > now ? now : asked;
  return await db.read(async (q) => {
    const site = await siteToCount(q, siteId, own);
    if (site === null) return refusedInput(NO_SUCH_SITE);
    const quarter = quarterOf(at);
    const from = utcTime(quarter * QUARTER_MS);
    const inside = [
      ...(await insideAtQuarter(q, siteId, quarter)),
      ...(await movedWithin(q, siteId, { from, at })),
    ];
    const later = new Map((await correctedAfter(q, siteId, at)).map(({ zoneId, cars }) => [zoneId, cars]));
    const offsetOf = ({ id, insideOffset }: CountedZone) => insideOffset - (later.get(id) ?? 0);
    const counted = Math.max(0, carsOf(inside));
    const offset = site.zones.reduce((sum, zone) => sum + offsetOf(zone), 0);
    const report = {
      siteId,
      at,
      capacity: site.capacity,
      inside: carsInside(counted, offset),
      counted,
      zones: site.zones.map((zone) => {
        const ofZone = Math.max(0, carsOf(inside, zone.hasLane));
        return { ...shownZone(zone), inside: carsInside(ofZone, offsetOf(zone)), counted: ofZone };
      }),
    };
    return { ok: true, report };
  });
}

/** The cars of every hour of some days, in a site and in its zones. */
export async function readOccupancyHours(
  db: Db,
  query: z.infer<typeof OccupancyHoursQuerySchema>,
  own: OwnRows,
  now: UtcTime,
): Promise<{ ok: true; report: OccupancyHours } | RefusedInput> {
  const { siteId, 'date.from': from, 'date.to': to } = query;
  if (daysBetween(from, to) > MAX_DAYS) {
    return refusedInput(mistake('too-many-days', ['date.to'], { days: MAX_DAYS }));
  }
  return await db.read(async (q) => {
    const site = await siteToCount(q, siteId, own);
    if (site === null) return refusedInput(NO_SUCH_SITE);
    const begin = quarterOf(daySpan(from, site.timeZone).from);
    const end = Math.min(quarterOf(daySpan(to, site.timeZone).before), quarterOf(now) + 1);
    const { timeZone, capacity } = site;
    const hours = begin < end ? await hoursOf(q, site, { begin, end, now }) : [];
    return { ok: true, report: { siteId, timeZone, capacity, zones: site.zones.map(shownZone), hours } };
  });
}

async function siteToCount(q: Queries, siteId: string, own: OwnRows): Promise<CountedSite | null> {
  const site = seesSite(own, siteId) ? await siteById(q, siteId) : null;
  if (site === null) return null;
  const { id, timeZone, settings } = site;
  return { id, timeZone, capacity: settings.capacity, zones: await countedZones(q, siteId) };
}

function shownZone({ id, name, capacity }: CountedZone) {
  return { id, name, capacity };
}

function carsOf(growths: readonly LaneGrowth[], isOf: (laneId: string) => boolean = () => true): number {
  return growths.reduce((sum, { laneId, cars }) => (isOf(laneId) ? sum + cars : sum), 0);
}

async function hoursOf(
  q: Queries,
  site: CountedSite,
  { begin, end, now }: { begin: number; end: number; now: UtcTime },
): Promise<OccupancyHours['hours']> {
  const rows = await laneQuarters(q, { siteId: site.id, from: begin, before: end });
  const before = await insideAtQuarter(q, site.id, begin);
  // The whole site first, then its zones.
  const counts = [() => true, ...site.zones.map(({ hasLane }) => hasLane)].map((isOf) => {
    const byQuarter = new Map<number, QuarterCounts>();
    for (const { quarter, laneId, arrivals, departures, insideMs } of rows) {
      if (!isOf(laneId)) continue;
      const sum = byQuarter.get(quarter) ?? { ...NOTHING };
      sum.arrivals += arrivals;
      sum.departures += departures;
      sum.insideMs += insideMs;
      byQuarter.set(quarter, sum);
    }
    const countsOf = (quarter: number) => byQuarter.get(quarter) ?? NOTHING;
    return hourCounts(carsOf(before, isOf), countsOf, { begin, end, nowMs: millis(now) });
  });
  const [whole = [], ...zones] = counts;
  return whole.map((counted, at) => ({
    from: utcTime(begin * QUARTER_MS + at * HOUR_MS),
    site: counted,
    zones: zones.map((zone) => zone[at] ?? counted),
  }));
}

const QUARTERS_AN_HOUR = HOUR_MS / QUARTER_MS;

interface QuarterCounts {
  arrivals: number;
  departures: number;
  insideMs: number;
}

const NOTHING: Readonly<QuarterCounts> = { arrivals: 0, departures: 0, insideMs: 0 };

/** The counts of each hour, from the cars inside at the beginning of the first and what happened in each quarter. */
function hourCounts(
  insideBefore: number,
  countsOf: (quarter: number) => QuarterCounts,
  { begin, end, nowMs }: { begin: number; end: number; nowMs: number },
): HourCounts[] {
  const hours: HourCounts[] = [];
  let inside = insideBefore;
  for (let first = begin; first < end; first += QUARTERS_AN_HOUR) {
    const hour = { arrivals: 0, departures: 0, most: Math.max(0, inside) };
    let carMs = 0;
    let lengthMs = 0;
    for (let quarter = first; quarter < Math.min(end, first + QUARTERS_AN_HOUR); quarter++) {
      const { arrivals, departures, insideMs } = countsOf(quarter);
      const over = Math.min((quarter + 1) * QUARTER_MS, nowMs);
      const length = over - quarter * QUARTER_MS;
      // The totals count until the end of the quarter; this takes the rest off where it is not over.
      carMs += inside * length + insideMs - (arrivals - departures) * ((quarter + 1) * QUARTER_MS - over);
      lengthMs += length;
      inside += arrivals - departures;
      hour.arrivals += arrivals;
      hour.departures += departures;
      hour.most = Math.max(hour.most, inside);
    }
    const average = lengthMs === 0 ? inside : carMs / lengthMs;
    hours.push({ ...hour, inside: Math.max(0, Math.round(average * 100) / 100) });
  }
  return hours;
}
