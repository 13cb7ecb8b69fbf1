import { HOUR_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { and, asc, eq, gt, gte, lt, sql } from '../../platform/db/sql.ts';
import { visitTable } from '../visits/visit-table.ts';
import { addCameraHour, addDay, addPermit, addQuarter, NO_MATCHES } from './count-stay.ts';
import { countersOfDay, dayOfQuarter, timeZoneOf } from './site-days.ts';
import {
  addCounters,
  type CountedStay,
  type Counters,
  differenceOf,
  noCounters,
  QUARTER_MS,
  type StayTotals,
  totalsOf,
} from './stay-totals.ts';
import {
  cameraHourTable as c,
  siteDayTable as d,
  permitMonthTable as p,
  trafficTable as t,
} from './traffic-table.ts';

const QUARTERS_AT_ONCE = 10_000;
const VISITS_AT_ONCE = 2000;

/**
 * Makes the days of a site from its quarters, in the transaction that changes its time zone: a quarter belongs to another
 * day then.
 */
export async function remakeDays(q: Queries, siteId: string, timeZone: string): Promise<void> {
  await q.delete(d).where(eq(d.siteId, siteId));
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows = await q
      .select()
      .from(t)
      .where(and(eq(t.siteId, siteId), gt(t.quarter, after)))
      .orderBy(asc(t.quarter))
      .limit(QUARTERS_AT_ONCE);
    const last = rows.at(-1)?.quarter;
    if (last === undefined) return;
    // The lanes of the last quarter may not all be there.
    const whole = rows.length < QUARTERS_AT_ONCE ? rows : rows.filter(({ quarter }) => quarter < last);
    const days = new Map<string, Counters>();
    for (const { quarter, siteId: _site, laneId: _lane, ...counters } of whole) {
      const { day, end } = dayOfQuarter(quarter, timeZone);
      const sum = days.get(day) ?? noCounters();
      addCounters(sum, countersOfDay(counters, quarter, end));
      days.set(day, sum);
    }
    for (const [day, counters] of days) await addDay(q, { siteId, day, ...counters });
    after = whole.at(-1)?.quarter ?? last;
  }
}

/** A month of a site, by UTC. */
export interface SiteMonth {
  siteId: string;
  /** Months since January 1970. */
  month: number;
}

/**
 * Counts the visits of a month again, which are never deleted. What comes from reads, decisions and devices stays as it
 * was counted: retention deletes those rows.
 */
export async function recountMonth(q: Queries, { siteId, month }: SiteMonth): Promise<void> {
  const [from, before] = [monthStart(month), monthStart(month + 1)];
  await forgetVisits(q, { siteId, month }, from, before);
  const isWithin = (ms: number) => ms >= from && ms < before;
  const within = ({ quarters, matches, permits }: StayTotals): StayTotals => ({
    quarters: quarters.filter(({ quarter }) => isWithin(quarter * QUARTER_MS)),
    matches: matches.filter(({ hour }) => isWithin(hour * HOUR_MS)),
    permits: permits.filter((one) => one.month === month),
  });
  let sums: StayTotals = { quarters: [], matches: [], permits: [] };
  for await (const stays of visitsOf(q, siteId, from, before)) {
    const more = stays.map((stay) => within(totalsOf(stay)));
    sums = differenceOf(NO_TOTALS, {
      quarters: [...sums.quarters, ...more.flatMap(({ quarters }) => quarters)],
      matches: [...sums.matches, ...more.flatMap(({ matches }) => matches)],
      permits: [...sums.permits, ...more.flatMap(({ permits }) => permits)],
    });
  }
  for (const { laneId, quarter, counters } of sums.quarters) {
    await addQuarter(q, { siteId, laneId, quarter, ...counters });
  }
  for (const match of sums.matches) {
    await addCameraHour(q, { siteId, cameraId: '', ...NO_READS, ...match });
  }
  for (const permit of sums.permits) await addPermit(q, { siteId, ...permit });
  await remakeDays(q, siteId, await timeZoneOf(q, siteId));
}

const NO_TOTALS: StayTotals = { quarters: [], matches: [], permits: [] };
const NO_READS = { reads: 0, unread: 0, corrected: 0 };

function monthStart(month: number): number {
  return Date.UTC(1970, month, 1);
}

/** Takes off what visits have added to the totals of a month. */
async function forgetVisits(
  q: Queries,
  { siteId, month }: SiteMonth,
  from: number,
  before: number,
): Promise<void> {
  const { exits: _exits, doubtfulExits: _doubtful, deviceFaults: _faults, ...ofVisits } = noCounters();
  const quarters = [gte(t.quarter, from / QUARTER_MS), lt(t.quarter, before / QUARTER_MS)];
  await q
    .update(t)
    .set(ofVisits)
    .where(and(eq(t.siteId, siteId), ...quarters));
  await q
    .update(c)
    .set(NO_MATCHES)
    .where(and(eq(c.siteId, siteId), gte(c.hour, from / HOUR_MS), lt(c.hour, before / HOUR_MS)));
  await q.delete(p).where(and(eq(p.siteId, siteId), eq(p.month, month)));
}

/** Visits that began or ended within a time, each once. */
async function* visitsOf(
  q: Queries,
  siteId: string,
  from: number,
  before: number,
): AsyncGenerator<CountedStay[]> {
  const v = visitTable;
  const [first, end] = [utcTime(from), utcTime(before)];
  const began = and(gte(v.startedAt, first), lt(v.startedAt, end));
  const ended = and(gte(v.endedAt, first), lt(v.endedAt, end), lt(v.startedAt, first));
  for (const condition of [began, ended]) {
    let after = 0;
    for (;;) {
      const rows = await q
        .select({ row: sql<number>`rowid`.as('row'), stay: stayColumns })
        .from(v)
        .where(and(eq(v.siteId, siteId), condition, sql`rowid > ${after}`))
        .orderBy(sql`rowid`)
        .limit(VISITS_AT_ONCE);
      yield rows.map(({ stay }) => stay);
      const last = rows.at(-1)?.row;
      if (last === undefined || rows.length < VISITS_AT_ONCE) break;
      after = last;
    }
  }
}

const stayColumns = {
  siteId: visitTable.siteId,
  startedAt: visitTable.startedAt,
  endedAt: visitTable.endedAt,
  paymentStatus: visitTable.paymentStatus,
  entryLaneId: visitTable.entryLaneId,
  exitLaneId: visitTable.exitLaneId,
  exitFoundBy: visitTable.exitFoundBy,
  permitId: visitTable.permitId,
  plateByPerson: visitTable.plateByPerson,
};
