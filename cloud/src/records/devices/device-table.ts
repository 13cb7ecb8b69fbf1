import type { DeviceKind, DeviceState } from '@hlid/protocol/records/device';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactSiteId } from '../../platform/db/compact-columns.ts';

/** How each device of a site is, by the site's last word. */
export const siteDeviceTable = sqliteTable(
  'site_device',
  {
    siteId: compactSiteId('site_id').notNull(),
    kind: text('kind').$type<DeviceKind>().notNull(),
    deviceId: text('device_id').notNull(),
    /** The name that people at the site use; null: its site has no name for it. */
    name: text('name'),
    state: text('state').$type<DeviceState>().notNull(),
    /** The time since which it is so, by the site's clock. */
    since: text('since').notNull(),
    /** The fault, for a technician; empty: none. */
    detail: text('detail').notNull(),
    /** When the site wrote it down. */
    at: text('at').notNull(),
    /** The state of which people have had mail; null: none. */
    mailedState: text('mailed_state').$type<DeviceState>(),
    /** The time since which it is down, which `device_day` counts when it ends; null: it works. */
    downSince: text('down_since'),
  },
  (table) => [primaryKey({ columns: [table.siteId, table.kind, table.deviceId] })],
);

/** How it was before; the newest of each device. */
export const deviceChangeTable = sqliteTable(
  'device_change',
  {
    n: integer('n').primaryKey({ autoIncrement: true }),
    siteId: compactSiteId('site_id').notNull(),
    kind: text('kind').$type<DeviceKind>().notNull(),
    deviceId: text('device_id').notNull(),
    state: text('state').$type<DeviceState>().notNull(),
    detail: text('detail').notNull(),
    at: text('at').notNull(),
  },
  (table) => [index('device_change_by_device').on(table.siteId, table.kind, table.deviceId, table.n)],
);
