import { and, asc, eq, gt, inArray, max } from 'drizzle-orm';
import type { Queries } from '../../db/db.ts';
import { integrationEventTable as e, type IntegrationEventType } from './integration-event-table.ts';

export type EventRow = typeof e.$inferSelect;

/** The number of the newest event; 0: there was none yet. */
export async function newestEvent(q: Queries): Promise<number> {
  const [newest] = await q.select({ n: max(e.n) }).from(e);
  return newest?.n ?? 0;
}

/** Events after a number, in order. */
export async function eventsAfter(
  q: Queries,
  after: number,
  wanted: { types: readonly IntegrationEventType[] | null; siteId: string | null },
  limit: number,
): Promise<EventRow[]> {
  const { types, siteId } = wanted;
  return await q
    .select()
    .from(e)
    .where(
      and(
        gt(e.n, after),
        types === null ? undefined : inArray(e.type, [...types]),
        siteId === null ? undefined : eq(e.siteId, siteId),
      ),
    )
    .orderBy(asc(e.n))
    .limit(limit);
}
