import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { fromNewRow, preparedInsert } from '../../platform/db/prepared-insert.ts';
import { and, eq, eqPlaceholder } from '../../platform/db/sql.ts';
import { quotaVisitTable as t } from '../../records/quotas/quota-table.ts';

export type QuotaVisitRow = typeof t.$inferSelect;

const rowsOfVisit = prepared((q) => q.select().from(t).where(eqPlaceholder(t.visitId, 'visitId')).prepare());

/** Keeps what a visit took of a quota. */
export const putQuotaVisit = preparedInsert(t, {
  target: [t.visitId, t.quotaId],
  set: fromNewRow(t, 'units', 'open'),
});

/** The units that a visit took, by quota. */
export async function quotasOfVisit(q: Queries, visitId: string): Promise<QuotaVisitRow[]> {
  return await rowsOfVisit(q).all({ visitId });
}

export async function deleteQuotaVisit(q: Queries, { visitId, quotaId }: QuotaVisitRow): Promise<void> {
  await q.delete(t).where(and(eq(t.visitId, visitId), eq(t.quotaId, quotaId)));
}
