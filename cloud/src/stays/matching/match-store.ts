import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { normalisePlate, type PlateCandidate } from '@hlid/protocol/plate/plate';
import { listed } from '../../platform/db/compact-columns.ts';
import type { Queries } from '../../platform/db/db.ts';
import {
  and,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  type SQL,
  sql,
} from '../../platform/db/sql.ts';
import { cameraTable } from '../../records/cameras/camera-table.ts';
import { isNotDisputed } from '../../records/disputes/find-disputes.ts';
import { matchProposalTable as m, type ProposalRow } from '../../records/matching/match-table.ts';
import { passageDecisionTable as d } from '../../records/passages/passage-table.ts';
import type { PhotoRow } from '../../records/photos/photo-store.ts';
import { photoTable as p } from '../../records/photos/photo-table.ts';
import { type VisitRow, visitTable as v } from '../../records/visits/visit-table.ts';

/** More cars of a site are not weighed at once: the newest are. */
export const MAX_ENTRIES = 2000;
export const MAX_EXITS = 200;

/** A car in a queue is read once more within that time. */
export const TWICE_MS = 2 * MINUTE_MS;
const TWICE = sql.raw(String(TWICE_MS));

/** An open visit, and the read by which it began. */
export interface OpenStay {
  visit: VisitRow;
  read: PhotoRow | null;
}

/** The newest open visits of a site with a plate that began since a moment, without contested ones. */
export async function openStays(
  q: Queries,
  siteId: string,
  { from, by }: { from: string; by: string },
): Promise<OpenStay[]> {
  return await q
    .select({ visit: getTableColumns(v), read: listed(getTableColumns(p)) })
    .from(v)
    .leftJoin(p, eq(p.id, v.entryReadId))
    .where(
      and(
        eq(v.siteId, siteId),
        isNull(v.endedAt),
        isNotNull(v.plate),
        gte(v.startedAt, from),
        lte(v.startedAt, by),
        isNotDisputed(v.id),
      ),
    )
    .orderBy(desc(v.startedAt))
    .limit(MAX_ENTRIES);
}

/** A read at an exit that belongs to no visit, though its car was let out, or passed without a gate. */
const isUnmatchedExit: SQL | undefined = and(
  sql`${p.source} <> 'test' AND ${p.status} IN ('need-review', 'force-review', 'reviewed')`,
  isNull(p.visitId),
  isNotNull(p.plate),
  inArray(p.standing, ['counts', 'late', 'low-score']),
  sql`(${cameraTable.location} = 'exit' OR EXISTS (
    SELECT 1 FROM ${d} WHERE ${d.passageId} = ${p.passageId} AND ${eq(d.direction, 'exit')}))`,
  sql`NOT EXISTS (SELECT 1 FROM ${d} WHERE ${d.passageId} = ${p.passageId} AND ${d.visitId} IS NOT NULL)`,
  sql`NOT EXISTS (SELECT 1 FROM ${p} AS other
    WHERE other.passage_id = ${p.passageId} AND other.visit_id IS NOT NULL)`,
  // The car was read twice, and its visit has ended by the other read.
  sql`NOT EXISTS (SELECT 1 FROM ${p} AS other WHERE other.plate_folded = ${p.plateFolded}
    AND other.received_at BETWEEN ${p.receivedAt} - ${TWICE} AND ${p.receivedAt} + ${TWICE}
    AND +other.site_id = ${p.siteId} AND other.visit_id IS NOT NULL AND other.lane_id = ${p.laneId})`,
  sql`NOT EXISTS (SELECT 1 FROM ${v} WHERE ${v.plate} = ${p.plate} AND +${v.siteId} = ${p.siteId}
    AND ${v.endedAt} BETWEEN ${p.receivedAt} - ${TWICE} AND ${p.receivedAt} + ${TWICE})`,
);

function selectExits(q: Queries) {
  return q
    .select(listed(getTableColumns(p)))
    .from(p)
    .leftJoin(cameraTable, and(eq(cameraTable.siteId, p.siteId), eq(cameraTable.remoteId, p.cameraId)));
}

/** The newest reads at exits of a site in a time that belong to no visit. */
export async function unmatchedExits(
  q: Queries,
  siteId: string,
  { from, before }: { from: string; before: string },
): Promise<PhotoRow[]> {
  return await selectExits(q)
    .where(and(eq(p.siteId, siteId), gte(p.receivedAt, from), lt(p.receivedAt, before), isUnmatchedExit))
    .orderBy(desc(p.receivedAt))
    .limit(MAX_EXITS);
}

/** The read at an exit, if it still belongs to no visit. */
export async function unmatchedExit(q: Queries, id: string): Promise<PhotoRow | null> {
  return (
    (await selectExits(q)
      .where(and(eq(p.id, id), isUnmatchedExit))
      .get()) ?? null
  );
}

/** The newest visits of a site, from which its habits are learned. */
export async function newestVisits(q: Queries, siteId: string, limit: number) {
  return await q
    .select(
      listed({
        plate: v.plate,
        startedAt: v.startedAt,
        endedAt: v.endedAt,
        exitFoundBy: v.exitFoundBy,
      }),
    )
    .from(v)
    .where(eq(v.siteId, siteId))
    .orderBy(desc(v.startedAt))
    .limit(limit);
}

export async function proposalById(q: Queries, id: string): Promise<ProposalRow | null> {
  return (await q.select().from(m).where(eq(m.id, id)).get()) ?? null;
}

export async function proposalOfPair(
  q: Queries,
  visitId: string,
  exitReadId: string,
): Promise<ProposalRow | null> {
  const isPair = and(eq(m.visitId, visitId), eq(m.exitReadId, exitReadId));
  return (await q.select().from(m).where(isPair).get()) ?? null;
}

/** The newest proposals of a site, in any state. */
export async function newestProposals(q: Queries, siteId: string, limit: number): Promise<ProposalRow[]> {
  return await q
    .select()
    .from(m)
    .where(eq(m.siteId, siteId))
    .orderBy(desc(m.createdAt), desc(m.id))
    .limit(limit);
}

export async function putProposal(q: Queries, row: ProposalRow): Promise<void> {
  const { id: _id, siteId: _site, visitId: _visit, exitReadId: _exit, createdAt: _at, ...set } = row;
  await q.insert(m).values(row).onConflictDoUpdate({ target: m.id, set });
}

/** Deletes proposals that ask a person, and shows no one them any more. */
export async function deleteProposals(q: Queries, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await q.delete(m).where(inArray(m.id, [...ids]));
}

/** What a plate may be: as a person corrected it, or else by all readings. */
export function platesSeen(photo: PhotoRow): PlateCandidate[] {
  return photo.corrected && photo.plate !== null ? [{ plate: photo.plate, score: 1 }] : readingsOf(photo);
}

/** The readings of a camera, the likeliest first, whatever a person has made of them. */
export function readingsOf({ plateRaw, candidates, score }: PhotoRow): PlateCandidate[] {
  if (candidates.length > 0) return candidates;
  const plate = normalisePlate(plateRaw);
  return plate === '' ? [] : [{ plate, score }];
}

/** The proposals that ask a person about a visit or an exit. */
export async function openProposalsWith(
  q: Queries,
  { visitId, exitReadId }: Pick<ProposalRow, 'visitId' | 'exitReadId'>,
): Promise<ProposalRow[]> {
  const ofVisit = await q.select().from(m).where(eq(m.visitId, visitId));
  const ofExit = await q.select().from(m).where(eq(m.exitReadId, exitReadId));
  return [...ofVisit, ...ofExit].filter(({ state }) => state === 'open');
}
