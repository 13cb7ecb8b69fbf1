import { newId } from '@hlid/node/new-id';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { type ChangeContext, closeLost, isEndLost, visitStep } from '@hlid/protocol/rules/visit-transitions';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { and, asc, isNotNull, isNull, lt, or, sql } from '../../platform/db/sql.ts';
import { isNotDisputed } from '../../records/disputes/find-disputes.ts';
import { readHead } from '../../records/feed/feed-head.ts';
import { siteVisit } from '../../records/visits/site-visit.ts';
import { visitTable as t, type VisitRow } from '../../records/visits/visit-table.ts';
import { ingestVisit } from '../../stays/visits/intake/ingest-visit.ts';
import { type NamedVisit, takePlatesOff } from './erase-visit-plates.ts';
import { inTurns } from './in-turns.ts';
import { logErased, retentionActor } from './retention-log.ts';

/**
 * Closes visits that never ended, once they began before a moment, and takes off their plates and reads; also of those that
 * their sites have closed so. @returns how many
 */
export async function eraseLostVisits(
  db: Db,
  when: { before: UtcTime; now: UtcTime },
  limit: number,
): Promise<number> {
  const { before, now } = when;
  return await db.write(async (tx) => {
    const lost = (await openSince(tx.q, before)).filter((row) => isEndLost(siteVisit(row), before, now));
    const some = lost.slice(0, limit);
    for (const row of some) await close(tx, row, now);
    const over = some.filter((row) => closeLost(siteVisit(row), contextAt(now)).plate === null);
    const reported = await lostWithReads(tx.q, before, limit);
    const known = new Set(over.map(({ id }) => id));
    const named = [...over, ...reported.filter(({ id }) => !known.has(id))];
    await inTurns(named, (visits) => takePlatesOff(tx, visits, now));
    await logErased(tx, { kind: 'visit-plate', rows: named.length, before }, retentionActor(now));
    return Math.max(some.length, reported.length);
  });
}

async function openSince(q: Queries, before: UtcTime): Promise<VisitRow[]> {
  return await q
    .select()
    .from(t)
    .where(and(isNull(t.endedAt), lt(t.startedAt, before), isNotDisputed(t.id)))
    .orderBy(asc(t.startedAt));
}

async function close(tx: Tx, row: VisitRow, at: UtcTime): Promise<void> {
  const before = siteVisit(row);
  const context = contextAt(at);
  const visit = closeLost(before, context);
  const step = visitStep(before, visit, context);
  const feedAt = (await readHead(tx.q, row.siteId)).n;
  await ingestVisit(tx, { siteId: row.siteId, eventId: newId(), at }, { visit, step, feedAt });
}

function contextAt(at: UtcTime): ChangeContext {
  return { at, by: 'retention', reason: 'lost-exit' };
}

async function lostWithReads(q: Queries, before: UtcTime, limit: number): Promise<NamedVisit[]> {
  return await q
    .select({ id: t.id, plate: t.plate, entryReadId: t.entryReadId, exitReadId: t.exitReadId })
    .from(t)
    .where(
      and(
        // The condition matches the index visit_for_review.
        sql`${t.flags} <> '[]' AND instr(${t.flags}, '"lost-exit"') > 0`,
        sql`${t.status} = 'completed' AND ${t.endedAt} IS NOT NULL`,
        or(isNotNull(t.plate), isNotNull(t.entryReadId)),
        lt(t.startedAt, before),
      ),
    )
    .orderBy(asc(t.startedAt))
    .limit(limit);
}
