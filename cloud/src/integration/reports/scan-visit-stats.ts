import { DAY_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { ScanDb } from '../../platform/db/scan-job.ts';
import type { VisitFilters } from '../../stays/visits/list/visit-filters.ts';
import { countKinds, spanOfVisits, type VisitKindCount } from './visit-stats-store.ts';

export interface VisitStatsQuestion {
  filters: VisitFilters;
  /** Cars inside are priced until then. */
  now: UtcTime;
}

/** Counts the visits of a period, a day at a time: between two days it can be broken off, and others get a turn. */
export async function* scanVisitStats(
  db: ScanDb,
  { filters, now }: VisitStatsQuestion,
): AsyncGenerator<VisitKindCount[]> {
  const span = await db.read(spanOfVisits);
  if (span === null) return;
  const end = earlier(filters.before, utcTime(millis(span.last) + 1));
  let from = later(filters.from, span.first);
  while (from < end) {
    const before = earlier(end, utcTime(millis(from) + DAY_MS));
    const day = { ...filters, from, before };
    const counts = await db.read((q) => countKinds(q, day, now));
    if (counts.length > 0) yield counts;
    from = before;
  }
}

function later(a: string | undefined, b: string): string {
  return a !== undefined && a > b ? a : b;
}

function earlier(a: string | undefined, b: string): string {
  return a !== undefined && a < b ? a : b;
}
