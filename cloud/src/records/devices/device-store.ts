import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { fromNewRow, preparedInsert } from '../../platform/db/prepared-insert.ts';
import { and, asc, desc, eq, eqPlaceholder, sql } from '../../platform/db/sql.ts';
import { deviceChangeTable, siteDeviceTable } from './device-table.ts';

export type DeviceRow = typeof siteDeviceTable.$inferSelect;
export type DeviceChangeRow = typeof deviceChangeTable.$inferSelect;
export type DeviceKey = Pick<DeviceRow, 'siteId' | 'kind' | 'deviceId'>;

/** Changes that are kept of each device. */
export const KEPT_CHANGES = 50;

const byKey = prepared((q) =>
  q
    .select()
    .from(siteDeviceTable)
    .where(
      and(
        eqPlaceholder(siteDeviceTable.siteId, 'siteId'),
        eqPlaceholder(siteDeviceTable.kind, 'kind'),
        eqPlaceholder(siteDeviceTable.deviceId, 'deviceId'),
      ),
    )
    .prepare(),
);

export async function findDevice(q: Queries, key: DeviceKey): Promise<DeviceRow | null> {
  return (await byKey(q).get({ ...key })) ?? null;
}

export const writeDevice = preparedInsert(siteDeviceTable, {
  target: [siteDeviceTable.siteId, siteDeviceTable.kind, siteDeviceTable.deviceId],
  set: fromNewRow(siteDeviceTable, 'name', 'state', 'since', 'detail', 'at', 'mailedState', 'downSince'),
});

export async function removeDevice(q: Queries, { siteId, kind, deviceId }: DeviceKey): Promise<void> {
  for (const table of [siteDeviceTable, deviceChangeTable]) {
    await q
      .delete(table)
      .where(and(eq(table.siteId, siteId), eq(table.kind, kind), eq(table.deviceId, deviceId)));
  }
}

/** Notes a change, and forgets the oldest of its device. */
export async function addChange(q: Queries, row: Omit<DeviceChangeRow, 'n'>): Promise<void> {
  const { siteId, kind, deviceId } = row;
  await q.insert(deviceChangeTable).values(row);
  await q.run(sql`
    DELETE FROM device_change WHERE n IN (
      SELECT n FROM device_change WHERE site_id = ${sql.param(siteId, deviceChangeTable.siteId)} AND kind = ${kind} AND device_id = ${deviceId}
      ORDER BY n DESC LIMIT -1 OFFSET ${KEPT_CHANGES}
    )`);
}

export async function listDevices(q: Queries, siteId: string): Promise<DeviceRow[]> {
  return await q
    .select()
    .from(siteDeviceTable)
    .where(eq(siteDeviceTable.siteId, siteId))
    .orderBy(asc(siteDeviceTable.kind), asc(siteDeviceTable.deviceId));
}

/** The changes of every device of a site, the newest first. */
export async function listChanges(q: Queries, siteId: string): Promise<DeviceChangeRow[]> {
  return await q
    .select()
    .from(deviceChangeTable)
    .where(eq(deviceChangeTable.siteId, siteId))
    .orderBy(desc(deviceChangeTable.n));
}

/** Every device of every site: as many rows as there is hardware. */
export async function listAllDevices(q: Queries): Promise<DeviceRow[]> {
  return await q.select().from(siteDeviceTable);
}
