import { wallClock } from '@hlid/protocol/site-time';
import { daySpan } from '../../day-span.ts';
import type { Queries } from '../../db/db.ts';
import { siteById } from '../../sites/choose-site.ts';
import type { VisitAggregate, VisitCount, VisitGroup } from './visit-aggregate.ts';
import { AGGREGATED_UP_TO, GROUPS_SHOWN } from './visit-aggregate.ts';
import { type CountedVisit, newestVisits, sumVisits, type VisitListQuestion } from './visit-list-store.ts';

/** Groups the newest visits that a query finds, and counts them and what they owe. */
export async function aggregateVisits(
  q: Queries,
  { filters }: VisitListQuestion,
  by: VisitAggregate['by'],
): Promise<VisitAggregate> {
  const visits = await newestVisits(q, filters, AGGREGATED_UP_TO + 1);
  const counted = visits.slice(0, AGGREGATED_UP_TO);
  const keyOf = by === 'day' ? await dayKeys(q, counted) : (visit: CountedVisit) => visit[KEYS[by]];
  const groups = new Map<string | null, VisitGroup>();
  for (const visit of counted) {
    const key = keyOf(visit);
    const group = groups.get(key) ?? { key, count: 0, due: {} };
    groups.set(key, group);
    group.count++;
    const { amountMinor, currency } = visit;
    if (currency !== null) group.due[currency] = (group.due[currency] ?? 0) + (amountMinor ?? 0);
  }
  const all = [...groups.values()];
  // Days as the list has them, all else by how often.
  const sorted = by === 'day' ? all : all.toSorted((a, b) => b.count - a.count);
  return {
    by,
    counted: counted.length,
    countedAll: visits.length <= AGGREGATED_UP_TO,
    groups: sorted.slice(0, GROUPS_SHOWN),
    groupsAll: sorted.length <= GROUPS_SHOWN,
  };
}

/** What the visits that a query finds owe and have paid, as far as they are summed. */
export async function sumAmounts(
  q: Queries,
  { filters }: VisitListQuestion,
): Promise<Omit<VisitCount, 'count'>> {
  const due: VisitCount['due'] = {};
  const paid: VisitCount['paid'] = {};
  let summed = 0;
  for (const { currency, visits, dueMinor, paidMinor } of await sumVisits(q, filters, AGGREGATED_UP_TO)) {
    summed += visits;
    if (currency === null) continue;
    due[currency] = dueMinor;
    paid[currency] = paidMinor;
  }
  return { due, paid, summed };
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
