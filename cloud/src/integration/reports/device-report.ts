import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { millis, type UtcTime, UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { DeviceKindSchema, DeviceStateSchema } from '@hlid/protocol/records/device';
import { z } from '@hono/zod-openapi';
import type { Db, Queries } from '../../platform/db/db.ts';
import type { OwnRows } from '../../platform/http/caller.ts';
import { type RefusedInput, refusedInput } from '../../platform/refused.ts';
import type { DeviceRow } from '../../records/devices/device-store.ts';
import { NO_SUCH_SITE } from '../../records/sites/choose-site.ts';
import { ArchivedQuerySchema } from './archived-query.ts';
import { listCameraNames } from './camera-store.ts';
import { minutesOf, openOutage } from './device-outages.ts';
import { type DeviceSum, devicesOf, deviceTotals } from './device-totals-store.ts';
import { daysBetween } from './income-periods.ts';
import type { DaySpan } from './overview-spans.ts';
import { type ReportedSite, reportedSites } from './read-overview.ts';

/** A year, and the same day of the next. */
const MAX_DAYS = 367;
/** More devices than a person reads. */
const MAX_DEVICES = 500;

export const DeviceQuerySchema = z.strictObject({
  'date.from': z.iso.date().describe('The first day, in the time zone of each site.'),
  'date.to': z.iso.date().describe('The last day; included.'),
  siteId: z.string().optional().describe('Only this site.'),
  archived: ArchivedQuerySchema,
});

const CountSchema = z.int().min(0);

const DeviceOutagesSchema = z
  .strictObject({
    siteId: z.string(),
    site: z.string().describe('The name of the site.'),
    kind: DeviceKindSchema,
    id: z.string(),
    name: z.string().nullable().describe('What people at the site call it; null: it has no name.'),
    state: DeviceStateSchema.nullable().describe('As the site reported last; null: it is no longer there.'),
    downSince: UtcTimeSchema.nullable().describe('Since when it is down; null: it is not.'),
    faults: CountSchema.describe('How often it began to fail.'),
    downMinutes: CountSchema.describe('How long it was down, up to now.'),
  })
  .meta({
    id: 'DeviceOutages',
    example: {
      siteId: '7f1f8c1e-8a53-4b8e-9e0c-5d3f0d8f2a11',
      site: 'Harbour',
      kind: 'gate',
      id: 'in-1',
      name: 'Gate in',
      state: 'ok',
      downSince: null,
      faults: 2,
      downMinutes: 95,
    },
  });
export type DeviceOutages = z.infer<typeof DeviceOutagesSchema>;

export const DeviceReportSchema = z
  .strictObject({
    total: z.strictObject({
      devices: CountSchema.describe('Those that failed or were down.'),
      faults: CountSchema,
      downMinutes: CountSchema,
    }),
    devices: z.array(DeviceOutagesSchema).max(MAX_DEVICES).describe('Those down longest, at most 500.'),
  })
  .meta({ id: 'DeviceReport' });
export type DeviceReport = z.infer<typeof DeviceReportSchema>;

/** How often and how long the devices of the caller's sites were down; what its site did not report is not known. */
export async function readDeviceReport(
  db: Db,
  query: z.infer<typeof DeviceQuerySchema>,
  own: OwnRows,
  now: UtcTime,
): Promise<{ ok: true; report: DeviceReport } | RefusedInput> {
  const span = { from: query['date.from'], to: query['date.to'] };
  if (daysBetween(span.from, span.to) > MAX_DAYS) {
    return refusedInput(mistake('too-many-days', ['date.to'], { days: MAX_DAYS }));
  }
  return await db.read(async (q) => {
    const sites = await reportedSites(q, query, own);
    if (query.siteId !== undefined && sites.length === 0) return refusedInput(NO_SUCH_SITE);
    return { ok: true, report: await outagesOf(q, sites, span, now) };
  });
}

/** A device and what was counted of it; null: it is no longer there. */
interface Counted extends DeviceSum {
  device: DeviceRow | null;
}

async function outagesOf(
  q: Queries,
  sites: readonly ReportedSite[],
  span: DaySpan,
  now: UtcTime,
): Promise<DeviceReport> {
  const siteOf = new Map(sites.map((site) => [site.id, site]));
  const cameras = await listCameraNames(q);
  const counted = new Map<string, Counted>();
  for (const sum of await deviceTotals(q, [...siteOf.keys()], span)) {
    counted.set(keyOf(sum), { ...sum, device: null });
  }
  for (const device of await devicesOf(q, [...siteOf.keys()])) {
    const key = keyOf(device);
    const timeZone = siteOf.get(device.siteId)?.timeZone ?? 'UTC';
    const outage = openOutage(device, span, timeZone, now);
    const goesOnMs = outage === null ? 0 : millis(outage.before) - millis(outage.from);
    const sum = counted.get(key);
    if (sum !== undefined) counted.set(key, { ...sum, downMs: sum.downMs + goesOnMs, device });
    else if (goesOnMs > 0) {
      const { siteId, kind, deviceId } = device;
      counted.set(key, { siteId, kind, deviceId, faults: 0, downMs: goesOnMs, device });
    }
  }
  const all = [...counted.values()].sort((a, b) => b.downMs - a.downMs || b.faults - a.faults);
  return {
    total: {
      devices: all.length,
      faults: all.reduce((sum, { faults }) => sum + faults, 0),
      downMinutes: minutesOf(all.reduce((sum, { downMs }) => sum + downMs, 0)),
    },
    devices: all.slice(0, MAX_DEVICES).map(({ siteId, kind, deviceId, device, faults, downMs }) => ({
      siteId,
      site: siteOf.get(siteId)?.name ?? '',
      kind,
      id: deviceId,
      name: cameraName(cameras, siteId, kind, deviceId) ?? device?.name ?? null,
      state: device?.state ?? null,
      downSince: device?.downSince ?? null,
      faults,
      downMinutes: minutesOf(downMs),
    })),
  };
}

function cameraName(
  cameras: Awaited<ReturnType<typeof listCameraNames>>,
  siteId: string,
  kind: DeviceRow['kind'],
  deviceId: string,
): string | undefined {
  if (kind !== 'camera') return undefined;
  return cameras.find((one) => one.siteId === siteId && one.remoteId === deviceId)?.name;
}

function keyOf({ siteId, kind, deviceId }: Pick<DeviceRow, 'siteId' | 'kind' | 'deviceId'>): string {
  return JSON.stringify([siteId, kind, deviceId]);
}
