import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { and, desc, eq, eqPlaceholder, isNotNull, ne, sql } from '../../platform/db/sql.ts';
import { gateMovementTable as g } from '../../records/passages/passage-table.ts';
import { photoTable as p } from '../../records/photos/photo-table.ts';
import type { OpeningStep } from '../../records/sites/opening-steps.ts';
import { siteOpeningTable as t } from '../../records/sites/site-opening-table.ts';
import { siteEnrolmentTable } from '../../records/sites/site-table.ts';
import { visitTable as v } from '../../records/visits/visit-table.ts';
import { zoneTable } from '../../records/zones/zone-table.ts';

export type StepAnswerRow = typeof t.$inferSelect;

/** The answers of people to the steps of a site. */
export async function listAnswers(q: Queries, siteId: string): Promise<StepAnswerRow[]> {
  return await q.select().from(t).where(eq(t.siteId, siteId));
}

export async function putAnswer(q: Queries, row: StepAnswerRow): Promise<void> {
  await q
    .insert(t)
    .values(row)
    .onConflictDoUpdate({ target: [t.siteId, t.step], set: row });
}

export async function dropAnswer(q: Queries, siteId: string, step: OpeningStep): Promise<void> {
  await q.delete(t).where(and(eq(t.siteId, siteId), eq(t.step, step)));
}

/** The newest code for an edge daemon of a site; null: there is none. */
export async function newestCodeOf(q: Queries, siteId: string) {
  const row = await q
    .select({ expiresOn: siteEnrolmentTable.expiresAt, usedOn: siteEnrolmentTable.usedAt })
    .from(siteEnrolmentTable)
    .where(eq(siteEnrolmentTable.siteId, siteId))
    .get();
  return row ?? null;
}

export async function countZones(q: Queries, siteId: string): Promise<number> {
  return await q.$count(zoneTable, eq(zoneTable.siteId, siteId));
}

const newestRead = prepared((q) =>
  q
    .select({ receivedAt: p.receivedAt })
    .from(p)
    .where(and(eqPlaceholder(p.siteId, 'siteId'), eqPlaceholder(p.cameraId, 'cameraId')))
    .orderBy(desc(p.receivedAt))
    .limit(1)
    .prepare(),
);

/** When a camera read last. */
export async function lastReadOf(q: Queries, siteId: string, cameraId: string) {
  return (await newestRead(q).get({ siteId, cameraId })) ?? null;
}

/** A lane without a movement among this many movements of its site counts as not tried. */
const MOVEMENTS_LOOKED_AT = 2000;

const newestMovements = prepared((q) =>
  q
    .select({ laneId: g.laneId, action: g.action, outcome: g.outcome, at: g.at })
    .from(g)
    .where(eqPlaceholder(g.siteId, 'siteId'))
    .orderBy(desc(g.at))
    .limit(MOVEMENTS_LOOKED_AT)
    .prepare(),
);

/** When each gate of a site last confirmed that it opened. */
export async function newestOpenings(q: Queries, siteId: string): Promise<Map<string, UtcTime>> {
  const opened = new Map<string, UtcTime>();
  for (const { laneId, action, outcome, at } of await newestMovements(q).all({ siteId })) {
    if (action === 'pulse' && outcome === 'done' && !opened.has(laneId)) opened.set(laneId, at);
  }
  return opened;
}

/** How many cars have left a site and were not voided, up to a limit. @param but the visit of the test car */
export async function carsThatLeft(
  q: Queries,
  siteId: string,
  limit: number,
  but: string | null = null,
): Promise<number> {
  const rows = await q
    .select({ id: v.id })
    .from(v)
    .where(
      and(
        eq(v.siteId, siteId),
        isNotNull(v.endedAt),
        sql`${v.paymentStatus} IS NOT 'void'`,
        ...(but === null ? [] : [ne(v.id, but)]),
      ),
    )
    .limit(limit);
  return rows.length;
}

/** The visit of a test car; null: it was erased. */
export async function testVisitOf(q: Queries, id: string) {
  const row = await q
    .select({
      id: v.id,
      siteId: v.siteId,
      startedOn: v.startedAt,
      endedOn: v.endedAt,
      status: v.status,
      paymentStatus: v.paymentStatus,
    })
    .from(v)
    .where(eq(v.id, id))
    .get();
  if (row === undefined) return null;
  const { paymentStatus, ...visit } = row;
  return { ...visit, isVoid: paymentStatus === 'void' };
}
