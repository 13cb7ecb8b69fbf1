import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { and, asc, eq, gt, inArray, max, sql } from '../../platform/db/sql.ts';
import {
  integrationEventTable as e,
  type IntegrationEventType,
} from '../webhooks/integration-event-table.ts';

export type EventRow = typeof e.$inferSelect;

/** The number of the newest event; 0: there was none yet. */
export async function newestEvent(q: Queries): Promise<number> {
  const [newest] = await q.select({ n: max(e.n) }).from(e);
  return newest?.n ?? 0;
}

const everyAfter = prepared((q) =>
  q
    .select()
    .from(e)
    .where(gt(e.n, sql.placeholder('after')))
    .orderBy(asc(e.n))
    .limit(sql.placeholder('limit'))
    .prepare(),
);

/** All events after a number, in order. */
export async function everyEventAfter(q: Queries, after: number, limit: number): Promise<EventRow[]> {
  return await everyAfter(q).all({ after, limit });
}

/** Events after a number, in order, of these types and this site. */
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
