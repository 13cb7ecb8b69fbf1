import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { count, desc, eq, eqPlaceholder, type SQL, sql } from '../../platform/db/sql.ts';
import { rowOf } from '../../platform/http/keyset.ts';
import type { DisputesOfOne } from './dispute-rule.ts';
import { type DisputeRow, disputeTable as t } from './dispute-table.ts';

const newestOfVisit = prepared((q) =>
  q
    .select()
    .from(t)
    .where(eqPlaceholder(t.visitId, 'visitId'))
    .orderBy(desc(t.openedAt), desc(rowOf(t.id)))
    .limit(1)
    .prepare(),
);

/** The newest dispute about a visit; null: it was never contested. */
export async function newestDispute(q: Queries, visitId: string): Promise<DisputeRow | null> {
  return (await newestOfVisit(q).get({ visitId })) ?? null;
}

/** Whether a visit is contested now. */
export async function isDisputed(q: Queries, visitId: string): Promise<boolean> {
  return (await newestDispute(q, visitId))?.state === 'open';
}

/** What is contested: a visit, or an invoice. */
export type Contested = { visitId: string } | { invoiceId: string };

export async function disputesAbout(q: Queries, about: Contested): Promise<DisputesOfOne> {
  const those = 'visitId' in about ? eq(t.visitId, about.visitId) : eq(t.invoiceId, about.invoiceId);
  const rows = await q.select({ state: t.state, n: count() }).from(t).where(those).groupBy(t.state);
  return {
    isOpen: rows.some(({ state }) => state === 'open'),
    count: rows.reduce((sum, { n }) => sum + n, 0),
  };
}

/** Whether the visit of a row is not contested. @param visitId the column that names the visit */
export function isNotDisputed(visitId: SQLiteColumn): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${t} open_dispute WHERE open_dispute.visit_id = ${visitId}
    AND open_dispute.state = 'open' AND open_dispute.visit_id IS NOT NULL)`;
}

/**
 * The time from which a term that runs against the driver counts again: a dispute stops it. Null: it is
 * stopped now.
 */
export async function resumedAfterDispute(
  q: Queries,
  visitId: string,
  since: UtcTime,
): Promise<UtcTime | null> {
  const newest = await newestDispute(q, visitId);
  if (newest === null) return since;
  if (newest.state === 'open') return null;
  return newest.answeredAt !== null && newest.answeredAt > since ? newest.answeredAt : since;
}
