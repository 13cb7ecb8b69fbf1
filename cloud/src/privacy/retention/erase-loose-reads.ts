import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { blankAudit } from '../../people/audit/blank-audit.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { and, eq, inArray, lt, sql } from '../../platform/db/sql.ts';
import { beyond, inDirection, type ListOrder } from '../../platform/http/keyset.ts';
import { isEvidence } from '../../records/disputes/find-disputes.ts';
import { passageDecisionTable } from '../../records/passages/passage-table.ts';
import { photoTable as t } from '../../records/photos/photo-table.ts';
import { retentionCursorTable } from '../../records/retention/retention-table.ts';
import { visitTable } from '../../records/visits/visit-table.ts';
import { dropPictures } from '../../stays/photos/store-picture.ts';
import { inTurns } from './in-turns.ts';
import { logErased, retentionActor } from './retention-log.ts';

const CURSOR = 'loose-reads';
/** The reads that are checked for each that may be erased: most are of a visit, and are only checked. */
const SCANNED_PER_ERASED = 10;
/** Reads of one time are ordered by id: the row of the last place is deleted. */
const ORDER: ListOrder = { at: t.receivedAt, id: t.id };

/**
 * Erases reads from before a moment that are neither the entrance nor the exit of a visit, up to `limit`. Each read
 * is checked once, oldest first.
 *
 * @returns how many were checked
 */
export async function eraseLooseReads(
  db: Db,
  when: { before: UtcTime; now: UtcTime },
  limit: number,
): Promise<number> {
  const { before, now } = when;
  return await db.write(async (tx) => {
    const place = await placeOf(tx);
    const reads = await tx.q
      .select({ id: t.id, at: t.receivedAt, ofVisit: sql<number>`${ofVisit()}` })
      .from(t)
      .where(and(lt(t.receivedAt, before), place && beyond(ORDER, 'newer', { rank: 0, ...place })))
      .orderBy(...inDirection(ORDER, 'newer'))
      .limit(limit * SCANNED_PER_ERASED);
    const found = reads.filter((read) => read.ofVisit === 0);
    const loose = found.slice(0, limit).map(({ id }) => id);
    const last = found.length > limit ? found[limit - 1] : reads.at(-1);
    if (last === undefined) return 0;
    await inTurns(loose, async (some) => void (await dropPictures(tx, some, now)));
    if (loose.length > 0) await tx.q.delete(t).where(inArray(t.id, loose));
    await blankAudit(tx.q, 'photo', loose);
    await moveTo(tx, { at: last.at, id: last.id });
    await logErased(tx, { kind: 'loose-read', rows: loose.length, before }, retentionActor(now));
    return reads.indexOf(last) + 1;
  });
}

/** Whether a read is a visit's, by its passage's decision or by its own word, or is in the evidence of a dispute. */
function ofVisit() {
  return sql`(${t.visitId} IS NOT NULL OR ${isEvidence(t.id)} OR EXISTS (
    SELECT 1 FROM ${passageDecisionTable} JOIN ${visitTable} ON ${visitTable.id} = ${passageDecisionTable.visitId}
    WHERE ${passageDecisionTable.passageId} = ${t.passageId}
      AND ${t.id} IN (${visitTable.entryReadId}, ${visitTable.exitReadId})))`;
}

async function placeOf({ q }: Tx): Promise<{ at: string; id: string } | undefined> {
  const [cursor] = await q.select().from(retentionCursorTable).where(eq(retentionCursorTable.name, CURSOR));
  return cursor;
}

async function moveTo({ q }: Tx, place: { at: string; id: string }): Promise<void> {
  await q
    .insert(retentionCursorTable)
    .values({ name: CURSOR, ...place })
    .onConflictDoUpdate({ target: retentionCursorTable.name, set: place });
}
