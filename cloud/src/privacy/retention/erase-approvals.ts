import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Db, Queries } from '../../platform/db/db.ts';
import { and, asc, inArray, isNotNull, lt } from '../../platform/db/sql.ts';
import { approvalTable as t } from '../../records/approvals/approval-table.ts';
import { logErased, retentionActor } from './retention-log.ts';

/** Deletes requests for approval that were decided before a moment, up to `limit`. @returns how many */
export async function eraseApprovals(
  db: Db,
  { before, now }: { before: UtcTime; now: UtcTime },
  limit: number,
): Promise<number> {
  return await db.write(async (tx) => {
    const old = tx.q
      .select({ id: t.id })
      .from(t)
      .where(and(isNotNull(t.decidedAt), lt(t.decidedAt, before)))
      .orderBy(asc(t.decidedAt))
      .limit(limit);
    const gone = await tx.q.delete(t).where(inArray(t.id, old)).returning({ id: t.id });
    await logErased(tx, { kind: 'approval', rows: gone.length, before }, retentionActor(now));
    return gone.length;
  });
}

/** Deletes the requests about visits with erased plates; what was done stands in the audit log. */
export async function eraseApprovalsOf(q: Queries, visitIds: readonly string[]): Promise<void> {
  if (visitIds.length > 0) await q.delete(t).where(inArray(t.visitId, [...visitIds]));
}
