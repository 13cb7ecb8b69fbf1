import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { blankAudit } from '../../people/audit/blank-audit.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { and, asc, inArray, lt, sql } from '../../platform/db/sql.ts';
import { isNotDisputed } from '../../records/disputes/find-disputes.ts';
import { photoTable } from '../../records/photos/photo-table.ts';
import { visitTable as t } from '../../records/visits/visit-table.ts';
import { dropPictures } from '../../stays/photos/store-picture.ts';
import { eraseApprovalsOf } from './erase-approvals.ts';
import { eraseDisputesOf } from './erase-disputes.ts';
import { eraseOnlinePayersOf } from './erase-online-payers.ts';
import { erasePlatesInHistory } from './erase-plate-in-free-texts.ts';
import { inTurns } from './in-turns.ts';
import { logErased, retentionActor } from './retention-log.ts';

/** A visit and the reads that made it. */
export type NamedVisit = Pick<typeof t.$inferSelect, 'id' | 'plate' | 'entryReadId' | 'exitReadId'>;

/**
 * Removes the plates of visits that are settled and ended before a moment, up to `limit`; their times and amounts
 * stay for the books. One that is contested waits for the answer. @returns how many
 */
export async function eraseVisitPlates(
  db: Db,
  when: { before: UtcTime; now: UtcTime },
  limit: number,
): Promise<number> {
  const { before, now } = when;
  return await db.write(async (tx) => {
    const visits = await tx.q
      .select({ id: t.id, plate: t.plate, entryReadId: t.entryReadId, exitReadId: t.exitReadId })
      .from(t)
      // The condition matches the index visit_with_plate.
      .where(
        and(
          sql`${t.plate} IS NOT NULL AND ${t.status} = 'completed'`,
          lt(t.endedAt, before),
          isNotDisputed(t.id),
        ),
      )
      .orderBy(asc(t.endedAt))
      .limit(limit);
    await inTurns(visits, (some) => takePlatesOff(tx, some, now));
    await logErased(tx, { kind: 'visit-plate', rows: visits.length, before }, retentionActor(now));
    return visits.length;
  });
}

/** Takes the plates off some visits and everything that hangs on them; their reads go as a whole. For `inTurns`. */
export async function takePlatesOff(tx: Tx, visits: readonly NamedVisit[], now: UtcTime): Promise<void> {
  const ids = visits.map(({ id }) => id);
  const reads = visits
    .flatMap(({ entryReadId, exitReadId }) => [entryReadId, exitReadId])
    .filter((id) => id !== null);
  await dropPictures(tx, reads, now);
  if (reads.length > 0) await tx.q.delete(photoTable).where(inArray(photoTable.id, reads));
  await blankAudit(tx.q, 'photo', reads);
  await erasePlatesInHistory(tx.q, visits);
  await eraseOnlinePayersOf(tx.q, ids, now);
  await eraseDisputesOf(tx, ids, now);
  await eraseApprovalsOf(tx.q, ids);
  const nameless = { plate: null, plateFolded: null, entryReadId: null, exitReadId: null };
  await tx.q.update(t).set(nameless).where(inArray(t.id, ids));
}
