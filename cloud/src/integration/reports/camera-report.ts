import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { evenStretches } from '@hlid/protocol/base/site-time';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import { daySpan } from '../../platform/day-span.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import type { OwnRows } from '../../platform/http/caller.ts';
import { type RefusedInput, refusedInput } from '../../platform/refused.ts';
import { NO_SUCH_SITE } from '../../records/sites/choose-site.ts';
import { hourOf } from '../../records/totals/stay-totals.ts';
import { ArchivedQuerySchema } from './archived-query.ts';
import { type CameraSum, cameraSums, cameraTotals, listCameraNames } from './camera-store.ts';
import { adviceFor, CAMERA_ADVICE } from './clean-lens.ts';
import { daysBetween } from './income-periods.ts';
import { type ReportedSite, reportedSites } from './read-overview.ts';

/** About a month, and as many days before: what is older does not show how a lens is now. */
const MAX_DAYS = 31;
const DAY_HOURS = 24;

export const CameraQuerySchema = z.strictObject({
  'date.from': z.iso.date().describe('The first day, in the time zone of each site.'),
  'date.to': z.iso.date().describe('The last day; included.'),
  siteId: z.string().optional().describe('Only this site.'),
  archived: ArchivedQuerySchema,
});

const CountSchema = z.int().min(0);

const CameraCountsSchema = z
  .strictObject({
    reads: CountSchema.describe('Reads of cars that passed.'),
    unread: CountSchema.describe(
      'Those without a plate, or below the lowest score of the camera, as long as no person gave one.',
    ),
    corrected: CountSchema.describe('Reads with a plate that a person changed.'),
    judged: CountSchema.describe('Visits through the lane that ended.'),
    matched: CountSchema.describe(
      'Those whose plates at the entrance and at the exit were the same, and that no person changed.',
    ),
  })
  .meta({
    id: 'CameraCounts',
    example: { reads: 400, unread: 6, corrected: 4, judged: 390, matched: 378 },
  });
export type CameraCounts = z.infer<typeof CameraCountsSchema>;

const CameraCareSchema = z
  .strictObject({
    siteId: z.string(),
    laneId: z.string(),
    id: z.string().nullable().describe('The id of the camera in the API; null: not registered.'),
    remoteId: z.string(),
    name: z.string().nullable(),
    location: z.enum(['entrance', 'exit']).nullable(),
    total: CameraCountsSchema,
    before: CameraCountsSchema.describe('The counts of the same number of days before.'),
    hours: z
      .array(CameraCountsSchema)
      .length(DAY_HOURS)
      .describe('The counts by the hour of the day on the clock of the site, from midnight on.'),
    advice: z.enum(CAMERA_ADVICE).nullable().describe('What to do; null: nothing.'),
  })
  .meta({ id: 'CameraCare' });
export type CameraCare = z.infer<typeof CameraCareSchema>;

export const CameraReportSchema = z
  .strictObject({ cameras: z.array(CameraCareSchema) })
  .meta({ id: 'CameraReport' });
export type CameraReport = z.infer<typeof CameraReportSchema>;

/** How well the cameras of the caller's sites read. What is judged and matched is of a camera's lane. */
export async function readCameraReport(
  db: Db,
  query: z.infer<typeof CameraQuerySchema>,
  own: OwnRows,
): Promise<{ ok: true; report: CameraReport } | RefusedInput> {
  const { 'date.from': from, 'date.to': to } = query;
  const days = daysBetween(from, to);
  if (days > MAX_DAYS) return refusedInput(mistake('too-many-days', ['date.to'], { days: MAX_DAYS }));
  return await db.read(async (q) => {
    const sites = await reportedSites(q, query, own);
    if (query.siteId !== undefined && sites.length === 0) return refusedInput(NO_SUCH_SITE);
    const names = await listCameraNames(q);
    const cameras: CameraCare[] = [];
    for (const site of sites) {
      const now = lanesOfSums(await sumsOf(q, site, from, to));
      const before = await totalsBefore(q, site, dayAfter(from, -days), dayAfter(from, -1));
      for (const { laneId, cameraId, hours } of now.cameras) {
        const named = names.find((one) => one.siteId === site.id && one.remoteId === cameraId);
        const total = added(hours);
        const totalBefore = before(laneId, cameraId);
        cameras.push({
          siteId: site.id,
          laneId,
          id: named?.id ?? null,
          remoteId: cameraId,
          name: named?.name ?? null,
          location: named?.location ?? null,
          total,
          before: totalBefore,
          hours,
          advice: adviceFor(total, totalBefore),
        });
      }
    }
    return { ok: true, report: { cameras } };
  });
}

/** The sums of some days by the clock of a site, which may be changed within them. */
async function sumsOf(q: Queries, site: ReportedSite, from: string, to: string): Promise<CameraSum[]> {
  const [first, before] = [daySpan(from, site.timeZone).from, daySpan(to, site.timeZone).before];
  const sums: CameraSum[] = [];
  for (const stretch of evenStretches(first, before, site.timeZone)) {
    sums.push(
      ...(await cameraSums(q, {
        siteId: site.id,
        from: hourOf(utcTime(stretch.from)),
        before: hourOf(utcTime(stretch.to)),
        offset: Math.floor(stretch.offsetMs / HOUR_MS),
      })),
    );
  }
  return sums;
}

/** The totals of each camera of some days, with those of its lane. */
async function totalsBefore(
  q: Queries,
  { id: siteId, timeZone }: ReportedSite,
  from: string,
  to: string,
): Promise<(laneId: string, cameraId: string) => CameraCounts> {
  const hours = {
    from: hourOf(daySpan(from, timeZone).from),
    before: hourOf(daySpan(to, timeZone).before),
  };
  const sums = await cameraTotals(q, { siteId, ...hours });
  return (laneId, cameraId) => {
    const own = sums.filter((one) => one.laneId === laneId);
    // No reads of the camera: nothing was compared.
    if (!own.some((one) => one.cameraId === cameraId)) return added([]);
    return added(own.filter((one) => one.cameraId === cameraId || one.cameraId === ''));
  };
}

/** The sums of each camera by hour of the day, with those of its lane. */
function lanesOfSums(sums: readonly CameraSum[]) {
  const ofLane = new Map<string, CameraCounts[]>();
  const cameras = new Map<string, { laneId: string; cameraId: string; hours: CameraCounts[] }>();
  for (const { laneId, cameraId, hourOfDay, ...counts } of sums) {
    let hours = ofLane.get(laneId) ?? noHours();
    if (cameraId === '') ofLane.set(laneId, hours);
    else {
      const key = JSON.stringify([laneId, cameraId]);
      const camera = cameras.get(key) ?? { laneId, cameraId, hours: noHours() };
      cameras.set(key, camera);
      hours = camera.hours;
    }
    addTo(hours[(hourOfDay + DAY_HOURS) % DAY_HOURS], counts);
  }
  for (const { laneId, hours } of cameras.values()) {
    for (const [at, counts] of (ofLane.get(laneId) ?? []).entries()) addTo(hours[at], counts);
  }
  const inOrder = [...cameras.values()].sort((a, b) =>
    a.laneId + a.cameraId < b.laneId + b.cameraId ? -1 : 1,
  );
  return { cameras: inOrder };
}

function noHours(): CameraCounts[] {
  return Array.from({ length: DAY_HOURS }, () => ({ ...NOTHING }));
}

const NOTHING: CameraCounts = { reads: 0, unread: 0, corrected: 0, judged: 0, matched: 0 };

function added(hours: readonly CameraCounts[]): CameraCounts {
  const total = { ...NOTHING };
  for (const counts of hours) addTo(total, counts);
  return total;
}

function addTo(to: CameraCounts | undefined, more: CameraCounts): void {
  if (to === undefined) return;
  for (const name of COUNTS) to[name] += more[name];
}

const COUNTS = ['reads', 'unread', 'corrected', 'judged', 'matched'] as const;
