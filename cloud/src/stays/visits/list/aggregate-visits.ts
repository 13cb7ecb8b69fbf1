import { wallClock } from '@hlid/protocol/base/site-time';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { daySpan } from '../../../platform/day-span.ts';
import type { Queries } from '../../../platform/db/db.ts';
import { siteById } from '../../../records/sites/choose-site.ts';
import type { VisitRow } from '../../../records/visits/visit-table.ts';
import { dueVisits, leastDue } from './due-visits.ts';
import { paidForVisits } from './paid-for-visits.ts';
import { type Due, ListPricer } from './shown-price.ts';
import {
  AGGREGATED_UP_TO,
  GROUPS_SHOWN,
  type VisitAggregate,
  type VisitCount,
  type VisitGroup,
} from './visit-aggregate.ts';
import { newestVisits, unordered, type VisitListQuestion } from './visit-list-store.ts';

/** The fields of a visit that are counted. */
type CountedVisit = Pick<VisitRow, 'id' | 'plate' | 'status' | 'siteId' | 'startedAt'> & Due;

/** Groups the newest visits that a query finds, and counts them and what they owe. */
export async function aggregateVisits(
  q: Queries,
  question: VisitListQuestion,
  by: VisitAggregate['by'],
  now: UtcTime,
): Promise<VisitAggregate> {
  const visits = await newestDue(q, question, now, AGGREGATED_UP_TO + 1);
  const counted = visits.slice(0, AGGREGATED_UP_TO);
  const keyOf = by === 'day' ? await dayKeys(q, counted) : (visit: CountedVisit) => visit[KEYS[by]];
  const groups = new Map<string | null, VisitGroup>();
  for (const visit of counted) {
    const key = keyOf(visit);
    const group = groups.get(key) ?? { key, count: 0, due: {} };
    groups.set(key, group);
    group.count++;
    addDue(group.due, visit);
  }
  const all = [...groups.values()];
  const sorted = all.toSorted(by === 'day' ? newestDayFirst : (a, b) => b.count - a.count);
  return {
    by,
    counted: counted.length,
    countedAll: visits.length <= AGGREGATED_UP_TO,
    groups: sorted.slice(0, GROUPS_SHOWN),
    groupsAll: sorted.length <= GROUPS_SHOWN,
  };
}

const newestDayFirst = (a: VisitGroup, b: VisitGroup) => ((a.key ?? '') < (b.key ?? '') ? 1 : -1);

/** The sums that the visits of a query owe and have paid, as far as they are summed. */
export async function sumAmounts(
  q: Queries,
  question: VisitListQuestion,
  now: UtcTime,
): Promise<Omit<VisitCount, 'count'>> {
  const visits = await newestDue(q, question, now, AGGREGATED_UP_TO);
  const due: VisitCount['due'] = {};
  for (const visit of visits) addDue(due, visit);
  const none = Object.fromEntries(Object.keys(due).map((currency) => [currency, 0]));
  return { due, paid: { ...none, ...(await paidForVisits(q, visits)) }, summed: visits.length };
}

function addDue(sums: Record<string, number>, { amountMinor, currency }: Due): void {
  if (currency !== null) sums[currency] = (sums[currency] ?? 0) + (amountMinor ?? 0);
}

/** The newest visits that a query finds, with what they owe now. */
async function newestDue(
  q: Queries,
  { filters }: VisitListQuestion,
  now: UtcTime,
  limit: number,
): Promise<CountedVisit[]> {
  const least = leastDue(filters);
  if (least === null) {
    const pricer = new ListPricer(q, now);
    const visits: CountedVisit[] = [];
    for (const { toPrice, ...visit } of await newestVisits(q, filters, limit)) {
      visits.push(toPrice ? { ...visit, ...(await pricer.dueOf(visit.id)) } : visit);
    }
    return visits;
  }
  const question = { filters: unordered(filters), plate: undefined };
  const visits: CountedVisit[] = [];
  for await (const { visit, due } of dueVisits(q, question, { least, now })) {
    const { id, plate, status, siteId, startedAt } = visit;
    visits.push({ id, plate, status, siteId, startedAt, ...due });
    if (visits.length === limit) break;
  }
  return visits;
}

const KEYS = { plate: 'plate', status: 'status', site: 'siteId' } as const;

/** The day on which a visit began, where its site is: visits come in order of time, so that a day is found once. */
async function dayKeys(
  q: Queries,
  visits: readonly CountedVisit[],
): Promise<(visit: CountedVisit) => string> {
  const zones = new Map<string, string>();
  for (const siteId of new Set(visits.map((visit) => visit.siteId))) {
    zones.set(siteId, (await siteById(q, siteId))?.timeZone ?? 'UTC');
  }
  const days = new Map<string, { date: string; from: string; before: string }>();
  return ({ siteId, startedAt }) => {
    const timeZone = zones.get(siteId) ?? 'UTC';
    const last = days.get(timeZone);
    if (last !== undefined && startedAt >= last.from && startedAt < last.before) return last.date;
    const { date } = wallClock(startedAt, timeZone);
    days.set(timeZone, { date, ...daySpan(date, timeZone) });
    return date;
  };
}
