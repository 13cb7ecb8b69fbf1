import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { and, asc, count, gte, isNotNull, isNull, lt, ne, or, type SQL } from '../../platform/db/sql.ts';
import { ofSites } from '../../platform/http/list-rows.ts';
import { visitTable as t, type VisitRow } from '../../records/visits/visit-table.ts';

interface Ended {
  siteId: string | null;
  from: UtcTime;
  before: UtcTime;
}

/** The visits that ended in a period, but for those that count no more. */
export async function endedVisits(q: Queries, ended: Ended): Promise<VisitRow[]> {
  return await q.select().from(t).where(within(ended)).orderBy(asc(t.endedAt));
}

export async function countEnded(q: Queries, ended: Ended): Promise<number> {
  const found = await q.select({ visits: count() }).from(t).where(within(ended)).get();
  return found?.visits ?? 0;
}

function within({ siteId, from, before }: Ended): SQL | undefined {
  return and(
    isNotNull(t.endedAt),
    gte(t.endedAt, from),
    lt(t.endedAt, before),
    siteId === null ? undefined : ofSites(t.siteId, [siteId]),
    or(isNull(t.paymentStatus), ne(t.paymentStatus, 'void')),
  );
}
