import type { Queries } from '../../platform/db/db.ts';
import { and, asc, between, inArray, sql } from '../../platform/db/sql.ts';
import type { DeviceRow } from '../../records/devices/device-store.ts';
import { siteDeviceTable } from '../../records/devices/device-table.ts';
import { deviceDayTable as t } from '../../records/totals/traffic-table.ts';
import type { DaySpan } from './overview-spans.ts';

/** How often a device began to fail, and how long its outages were that have ended. */
export type DeviceSum = Omit<typeof t.$inferSelect, 'day'>;

export async function deviceTotals(
  q: Queries,
  siteIds: readonly string[],
  { from, to }: DaySpan,
): Promise<DeviceSum[]> {
  return await q
    .select({
      siteId: t.siteId,
      kind: t.kind,
      deviceId: t.deviceId,
      faults: sql`sum(${t.faults})`.mapWith(Number),
      downMs: sql`sum(${t.downMs})`.mapWith(Number),
    })
    .from(t)
    .where(and(inArray(t.siteId, [...siteIds]), between(t.day, from, to)))
    .groupBy(t.siteId, t.kind, t.deviceId);
}

/** The outages of the devices of some sites that have ended, by day; only days that have any. */
export async function outageDays(
  q: Queries,
  siteIds: readonly string[],
  { from, to }: DaySpan,
): Promise<{ day: string; downMs: number }[]> {
  return await q
    .select({ day: t.day, downMs: sql`sum(${t.downMs})`.mapWith(Number) })
    .from(t)
    .where(and(inArray(t.siteId, [...siteIds]), between(t.day, from, to)))
    .groupBy(t.day)
    .orderBy(asc(t.day));
}

/** The devices of some sites as they are now. */
export async function devicesOf(q: Queries, siteIds: readonly string[]): Promise<DeviceRow[]> {
  return await q
    .select()
    .from(siteDeviceTable)
    .where(inArray(siteDeviceTable.siteId, [...siteIds]));
}
