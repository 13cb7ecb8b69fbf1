import type { DeviceKind } from '@hlid/protocol/records/device';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactSiteId } from '../../platform/db/compact-columns.ts';

/** The counters of a quarter of an hour and of a day. */
function counters() {
  const counter = (name: string) => integer(name).notNull().default(0);
  return {
    arrivals: integer('arrivals').notNull(),
    departures: integer('departures').notNull(),
    /**
     * The sum of the milliseconds from the arrivals until the end of the period, less those from the departures until
     * then. With the cars inside at its beginning, they give the average of the period.
     */
    insideMs: integer('inside_ms').notNull(),
    /** The whole minutes of the stays that ended. */
    stayMinutes: counter('stay_minutes'),
    /** Arrivals with a permit. */
    permitStays: counter('permit_stays'),
    /** Arrivals with a plate that no person gave or changed. */
    automatic: counter('automatic'),
    /** Cars that an exit let out, and those of them that it let out in doubt. */
    exits: counter('exits'),
    doubtfulExits: counter('doubtful_exits'),
    /** How often a device of the site began to fail. */
    deviceFaults: counter('device_faults'),
  };
}

/**
 * Totals by lane and quarter of an hour, updated with each visit, decision and device: reports by the hour add these up
 * and scan no visits. A visit counts at the lane that it came in by, also when it leaves, so that any set of lanes has
 * its cars inside. All time zones are whole quarters from UTC, so the same totals serve every one of them. Voided visits
 * are not counted.
 */
export const trafficTable = sqliteTable(
  'traffic',
  {
    siteId: compactSiteId('site_id').notNull(),
    /** The quarter since 1970, UTC. */
    quarter: integer('quarter').notNull(),
    /** The lane of entry for visits, of exit for `exits`; empty: not known, or a row of a device. */
    laneId: text('lane_id').notNull(),
    ...counters(),
  },
  (table) => [primaryKey({ columns: [table.siteId, table.quarter, table.laneId] })],
);

/** The same by day on the clock of the site, so that a year of all sites is read at once. */
export const siteDayTable = sqliteTable(
  'site_day',
  {
    siteId: compactSiteId('site_id').notNull(),
    /** `YYYY-MM-DD` where the site is. */
    day: text('day').notNull(),
    ...counters(),
  },
  (table) => [primaryKey({ columns: [table.siteId, table.day] })],
);

/**
 * How often each device began to fail, and how long it was down, by day on the clock of the site at that time. An outage is
 * counted when it ends: one that goes on stands in `site_device`.
 */
export const deviceDayTable = sqliteTable(
  'device_day',
  {
    siteId: compactSiteId('site_id').notNull(),
    /** `YYYY-MM-DD` where the site is. */
    day: text('day').notNull(),
    kind: text('kind').$type<DeviceKind>().notNull(),
    deviceId: text('device_id').notNull(),
    faults: integer('faults').notNull(),
    downMs: integer('down_ms').notNull(),
  },
  (table) => [primaryKey({ columns: [table.siteId, table.day, table.kind, table.deviceId] })],
);

/** How often each permit was used, by month (UTC). */
export const permitMonthTable = sqliteTable(
  'permit_month',
  {
    siteId: compactSiteId('site_id').notNull(),
    /** Months since January 1970. */
    month: integer('month').notNull(),
    permitId: text('permit_id').notNull(),
    stays: integer('stays').notNull(),
    /** The whole minutes of those that ended, at the month of their beginning. */
    stayMinutes: integer('stay_minutes').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.siteId, table.month, table.permitId] }),
    // When a permit was used last, and whether it was used in some months.
    index('permit_month_by_permit').on(table.permitId, table.month, table.stays),
  ],
);

/** The reads of cameras by hour (UTC), and how often the plates of an entry and of an exit were the same. */
export const cameraHourTable = sqliteTable(
  'camera_hour',
  {
    siteId: compactSiteId('site_id').notNull(),
    /** Hours since 1970. */
    hour: integer('hour').notNull(),
    laneId: text('lane_id').notNull(),
    /** The camera's `remoteId`; empty: what is of the lane, `judged` and `matched`. */
    cameraId: text('camera_id').notNull(),
    reads: integer('reads').notNull(),
    /** Reads without a plate, or below the camera's lowest score. */
    unread: integer('unread').notNull(),
    /** Reads with a plate that a person changed. */
    corrected: integer('corrected').notNull(),
    /** Visits that ended, at the hour at which they passed this lane. */
    judged: integer('judged').notNull(),
    /** Those of them whose exit was found by exactly the plate of the entry, which no person had changed. */
    matched: integer('matched').notNull(),
  },
  (table) => [primaryKey({ columns: [table.siteId, table.hour, table.laneId, table.cameraId] })],
);
