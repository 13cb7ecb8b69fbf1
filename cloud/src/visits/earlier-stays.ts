import type { Period } from '@hlid/protocol/price-visit';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { and, asc, eq, gt, isNotNull, lt, ne, sql } from 'drizzle-orm';
import type { Queries } from '../db/db.ts';
import { visitTable as t } from './visit-table.ts';
import type { VisitRow } from './visit-view.ts';

/** The stays of a visit's plate at its site that began after a moment and before it, and are over. */
export async function earlierStays(
  q: Queries,
  visit: Pick<VisitRow, 'id' | 'siteId' | 'plate' | 'startedAt'>,
  since: UtcTime,
): Promise<Period[]> {
  const { id, siteId, plate, startedAt } = visit;
  if (plate === null) return [];
  const rows = await q
    .select({ from: t.startedAt, to: t.endedAt })
    .from(t)
    .where(
      and(
        eq(t.plate, plate),
        gt(t.startedAt, since),
        lt(t.startedAt, startedAt),
        isNotNull(t.endedAt),
        // The plate leads.
        sql`+${t.siteId} = ${siteId}`,
        ne(t.id, id),
        sql`${t.paymentStatus} IS NOT 'void'`,
      ),
    )
    .orderBy(asc(t.startedAt));
  return rows.flatMap(({ from, to }) => (to === null ? [] : [{ from, to }]));
}
