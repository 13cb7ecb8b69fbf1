import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Queries } from '../../platform/db/db.ts';
import { newValue, preparedInsert } from '../../platform/db/prepared-insert.ts';
import { type SQL, sql } from '../../platform/db/sql.ts';
import { type JudgedRead, readCounts } from './read-counts.ts';
import { countersOfDay, dayOfQuarter, timeZoneOf } from './site-days.ts';
import {
  addCounters,
  COUNTERS,
  type CountedStay,
  type Counters,
  differenceOf,
  hourOf,
  noCounters,
  type QuarterTotal,
  quarterTotal,
  totalsOf,
} from './stay-totals.ts';
import { cameraHourTable, permitMonthTable, siteDayTable, trafficTable } from './traffic-table.ts';

/** `set` of an upsert that adds the new row's values of these columns. */
function added<Name extends string>(
  columns: Record<Name, SQLiteColumn>,
  names: readonly Name[],
): Record<string, SQL> {
  return Object.fromEntries(names.map((name) => [name, sql`${columns[name]} + ${newValue(columns[name])}`]));
}

const t = trafficTable;
export const addQuarter = preparedInsert(t, {
  target: [t.siteId, t.quarter, t.laneId],
  set: added(t, COUNTERS),
});

const d = siteDayTable;
export const addDay = preparedInsert(d, { target: [d.siteId, d.day], set: added(d, COUNTERS) });

const p = permitMonthTable;
export const addPermit = preparedInsert(p, {
  target: [p.siteId, p.month, p.permitId],
  set: added(p, ['stays', 'stayMinutes']),
});

const c = cameraHourTable;
export const addCameraHour = preparedInsert(c, {
  target: [c.siteId, c.hour, c.laneId, c.cameraId],
  set: added(c, ['reads', 'unread', 'corrected', 'judged', 'matched']),
});

/** Updates the totals of a visit's site, in the transaction that stores the visit. @param before null: it is new */
export async function countStay(
  q: Queries,
  before: CountedStay | null,
  after: CountedStay | null,
): Promise<void> {
  const siteId = (after ?? before)?.siteId;
  if (siteId === undefined) return;
  const { quarters, matches, permits } = differenceOf(totalsOf(before), totalsOf(after));
  await addQuarters(q, siteId, quarters);
  for (const match of matches) {
    await addCameraHour(q, { siteId, cameraId: '', reads: 0, unread: 0, corrected: 0, ...match });
  }
  for (const permit of permits) await addPermit(q, { siteId, ...permit });
}

/** Counts a car that an exit let out. */
export async function countExit(
  q: Queries,
  place: { siteId: string; laneId: string; at: UtcTime },
  isDoubtful: boolean,
): Promise<void> {
  const counters = { exits: 1, doubtfulExits: isDoubtful ? 1 : 0 };
  await addQuarters(q, place.siteId, [quarterTotal(place.laneId, place.at, counters)]);
}

export const NO_MATCHES = { judged: 0, matched: 0 };

/** Counts a device that began to fail. */
export async function countDeviceFault(q: Queries, siteId: string, at: UtcTime): Promise<void> {
  await addQuarters(q, siteId, [quarterTotal('', at, { deviceFaults: 1 })]);
}

/** Updates the totals of a read's camera, in the transaction that stores the read. @param before null: it is new */
export async function countRead(
  q: Queries,
  before: JudgedRead | null,
  after: JudgedRead & { siteId: string; laneId: string; cameraId: string; receivedAt: UtcTime },
): Promise<void> {
  const counts = readCounts(after);
  if (before !== null) {
    const was = readCounts(before);
    for (const name of ['reads', 'unread', 'corrected'] as const) counts[name] -= was[name];
  }
  if (Object.values(counts).every((count) => count === 0)) return;
  const { siteId, laneId, cameraId, receivedAt } = after;
  await addCameraHour(q, { siteId, laneId, cameraId, hour: hourOf(receivedAt), ...counts, ...NO_MATCHES });
}

/** Adds to the quarters of a site, and to its days. */
async function addQuarters(q: Queries, siteId: string, quarters: readonly QuarterTotal[]): Promise<void> {
  if (quarters.length === 0) return;
  const timeZone = await timeZoneOf(q, siteId);
  const days = new Map<string, Counters>();
  for (const { laneId, quarter, counters } of quarters) {
    await addQuarter(q, { siteId, laneId, quarter, ...counters });
    const { day, end } = dayOfQuarter(quarter, timeZone);
    const sum = days.get(day) ?? noCounters();
    addCounters(sum, countersOfDay(counters, quarter, end));
    days.set(day, sum);
  }
  for (const [day, counters] of days) await addDay(q, { siteId, day, ...counters });
}
