import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { newValue, preparedInsert } from '../../platform/db/prepared-insert.ts';
import { sql } from '../../platform/db/sql.ts';
import { trafficTable as t } from './traffic-table.ts';
import type { VisitRow } from './visit-table.ts';

export const QUARTER_MS = 15 * MINUTE_MS;

/** What the totals count of a visit. */
export type CountedStay = Pick<VisitRow, 'siteId' | 'startedAt' | 'endedAt' | 'paymentStatus'>;

const addRow = preparedInsert(t, {
  target: [t.siteId, t.quarter],
  set: {
    arrivals: sql`${t.arrivals} + ${newValue(t.arrivals)}`,
    departures: sql`${t.departures} + ${newValue(t.departures)}`,
    insideMs: sql`${t.insideMs} + ${newValue(t.insideMs)}`,
  },
});

/** Updates the totals of a visit's site, in the transaction that stores the visit. @param before null: it is new */
export async function countTraffic(
  q: Queries,
  before: CountedStay | null,
  after: CountedStay,
): Promise<void> {
  const { siteId } = after;
  const [came, comes] = [arrivalOf(before), arrivalOf(after)];
  if (came !== comes) {
    await add(q, siteId, came, { arrivals: -1, departures: 0 });
    await add(q, siteId, comes, { arrivals: 1, departures: 0 });
  }
  const [left, leaves] = [departureOf(before), departureOf(after)];
  if (left !== leaves) {
    await add(q, siteId, left, { arrivals: 0, departures: -1 });
    await add(q, siteId, leaves, { arrivals: 0, departures: 1 });
  }
}

function arrivalOf(stay: CountedStay | null): UtcTime | null {
  return stay === null || stay.paymentStatus === 'void' ? null : stay.startedAt;
}

function departureOf(stay: CountedStay | null): UtcTime | null {
  return stay === null || stay.paymentStatus === 'void' ? null : stay.endedAt;
}

async function add(
  q: Queries,
  siteId: string,
  at: UtcTime | null,
  { arrivals, departures }: { arrivals: number; departures: number },
): Promise<void> {
  if (at === null) return;
  const quarter = Math.floor(millis(at) / QUARTER_MS);
  const restMs = (quarter + 1) * QUARTER_MS - millis(at);
  await addRow(q, { siteId, quarter, arrivals, departures, insideMs: restMs * (arrivals - departures) });
}
