import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { blankAudit } from '../../people/audit/blank-audit.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { and, asc, eq, inArray, isNotNull, isNull, lt, type SQL, sql } from '../../platform/db/sql.ts';
import { disputeReadTable, disputeTable as t } from '../../records/disputes/dispute-table.ts';
import { photoTable } from '../../records/photos/photo-table.ts';
import { visitTable } from '../../records/visits/visit-table.ts';
import { dropPictures } from '../../stays/photos/store-picture.ts';
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
    const rows = await erase(tx, inArray(t.id, old), now);
    await logErased(tx, { kind: 'dispute', rows, before }, retentionActor(now));
    return rows;
  });
}

/** Deletes the disputes about visits with erased plates. */
export async function eraseDisputesOf(tx: Tx, visitIds: readonly string[], now: UtcTime): Promise<void> {
  if (visitIds.length > 0) await erase(tx, inArray(t.visitId, [...visitIds]), now);
}

/** Deletes disputes with their messages, and those reads of their evidence that no visit has. */
async function erase(tx: Tx, those: SQL, now: UtcTime): Promise<number> {
  const found = await tx.q.select({ id: t.id }).from(t).where(those);
  const ids = found.map(({ id }) => id);
  if (ids.length === 0) return 0;
  const [r, p, v] = [disputeReadTable, photoTable, visitTable];
  const loose = await tx.q
    .select({ id: p.id })
    .from(r)
    .innerJoin(p, eq(p.id, r.photoId))
    .where(
      and(
        inArray(r.disputeId, ids),
        isNull(p.visitId),
        sql`NOT EXISTS (SELECT 1 FROM ${v} JOIN ${t} ON ${t.visitId} = ${v.id}
          WHERE ${t.id} = ${r.disputeId} AND ${p.id} IN (${v.entryReadId}, ${v.exitReadId}))`,
      ),
    );
  const reads = loose.map(({ id }) => id);
  await dropPictures(tx, reads, now);
  if (reads.length > 0) await tx.q.delete(p).where(inArray(p.id, reads));
  await blankAudit(tx.q, 'photo', reads);
  await tx.q.delete(t).where(inArray(t.id, ids));
  await blankAudit(tx.q, 'dispute', ids);
  return ids.length;
}
