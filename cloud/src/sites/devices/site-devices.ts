import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { DeviceKindSchema } from '@hlid/protocol/records/device';
import type { Queries } from '../../platform/db/db.ts';
import {
  type DeviceRow,
  findDevice,
  listAllDevices,
  listChanges,
  listDevices,
} from '../../records/devices/device-store.ts';
import {
  type AwaySince,
  type Device,
  type DeviceSummary,
  deviceFrom,
  ONLINE_PAYMENT,
  SITE_FLOOD,
  subjectOf,
  summaryOf,
} from './device.ts';

/** How many earlier changes are shown of each device. */
const SHOWN_CHANGES = 20;

/** Every device of a site, by kind and name. */
export async function devicesOfSite(q: Queries, siteId: string, away: AwaySince): Promise<Device[]> {
  const changes = await listChanges(q, siteId);
  const rows = await listDevices(q, siteId);
  return rows.map((row) => {
    const own = changes.filter((change) => subjectOf(change) === subjectOf(row));
    return deviceFrom(row, own.slice(0, SHOWN_CHANGES), away);
  });
}

/** The last word on each device of a site. */
export async function deviceRowsOf(q: Queries, siteId: string): Promise<DeviceRow[]> {
  return await listDevices(q, siteId);
}

/** The last report on online payment at a site; null: there is none. */
export async function onlinePaymentOf(q: Queries, siteId: string): Promise<DeviceRow | null> {
  return await findDevice(q, { siteId, ...ONLINE_PAYMENT });
}

/** The sites with a flood that has not been reported since a moment. */
export async function floodsBefore(q: Queries, before: UtcTime): Promise<string[]> {
  return (await listAllDevices(q))
    .filter(({ kind, deviceId }) => kind === SITE_FLOOD.kind && deviceId === SITE_FLOOD.deviceId)
    .filter(({ state, at }) => state === 'failing' && at < before)
    .map(({ siteId }) => siteId);
}

/** How the devices of some sites are, in short; a site of which none is known is left out. */
export async function deviceSummaries(
  q: Queries,
  sites: ReadonlyMap<string, AwaySince>,
): Promise<Map<string, DeviceSummary>> {
  const bySite = new Map<string, DeviceRow[]>();
  for (const row of await listAllDevices(q)) {
    const rows = bySite.get(row.siteId);
    if (rows) rows.push(row);
    else bySite.set(row.siteId, [row]);
  }
  return new Map([...bySite].map(([siteId, rows]) => [siteId, summaryOf(rows, sites.get(siteId) ?? null)]));
}

export async function deviceSummary(q: Queries, siteId: string, away: AwaySince): Promise<DeviceSummary> {
  return summaryOf(await listDevices(q, siteId), away);
}

/** The device that an integration event is about, by the site's last word; null: it is gone. */
export async function findDeviceOfSubject(
  q: Queries,
  siteId: string,
  subject: string,
): Promise<Device | null> {
  const colon = subject.indexOf(':');
  const kind = DeviceKindSchema.safeParse(subject.slice(0, colon));
  if (!kind.success) return null;
  const row = await findDevice(q, { siteId, kind: kind.data, deviceId: subject.slice(colon + 1) });
  return row && deviceFrom(row, [], null);
}
