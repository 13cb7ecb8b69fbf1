import type { Queries } from '../../platform/db/db.ts';
import { and, eq, inArray } from '../../platform/db/sql.ts';
import { auditTable } from '../../records/audit/audit-table.ts';

/**
 * Blanks the entries of rows that are erased: who did what and when stays; what the rows looked like goes.
 */
export async function blankAudit(q: Queries, subject: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await q
    .update(auditTable)
    .set({ before: null, after: null, reason: null })
    .where(and(eq(auditTable.subject, subject), inArray(auditTable.subjectId, [...ids])));
}
