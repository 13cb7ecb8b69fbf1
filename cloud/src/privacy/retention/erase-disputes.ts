import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { blankAudit } from '../../people/audit/blank-audit.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import { and, asc, inArray, isNotNull, lt, type SQL } from '../../platform/db/sql.ts';
import { disputeTable as t } from '../../records/disputes/dispute-table.ts';
import { logErased, retentionActor } from './retention-log.ts';

/**
 * Deletes disputes that were answered before a moment, up to `limit`. One without an answer stays. @returns how
 * many
 */
export async function eraseDisputes(
  db: Db,
  { before, now }: { before: UtcTime; now: UtcTime },
  limit: number,
): Promise<number> {
  return await db.write(async (tx) => {
    const old = tx.q
      .select({ id: t.id })
      .from(t)
      .where(and(isNotNull(t.answeredAt), lt(t.answeredAt, before)))
      .orderBy(asc(t.answeredAt))
      .limit(limit);
    const rows = await erase(tx.q, inArray(t.id, old));
    await logErased(tx, { kind: 'dispute', rows, before }, retentionActor(now));
    return rows;
  });
}

/** Deletes the disputes about visits with erased plates. */
export async function eraseDisputesOf(q: Queries, visitIds: readonly string[]): Promise<void> {
  if (visitIds.length > 0) await erase(q, inArray(t.visitId, [...visitIds]));
}

async function erase(q: Queries, those: SQL): Promise<number> {
  const gone = await q.delete(t).where(those).returning({ id: t.id });
  const ids = gone.map(({ id }) => id);
  await blankAudit(q, 'dispute', ids);
  return ids.length;
}
