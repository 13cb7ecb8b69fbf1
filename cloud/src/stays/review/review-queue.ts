import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { and, eq, gt, isNotNull, ne, or, type SQL, sql } from '../../platform/db/sql.ts';
import { ALL_ROWS } from '../../platform/http/caller.ts';
import { rowOf } from '../../platform/http/keyset.ts';
import { ofSites } from '../../platform/http/list-rows.ts';
import { photoTable as p } from '../../records/photos/photo-table.ts';
import type { PlateEffect, ReviewCause } from '../../records/review/review-cause.ts';
import { reviewAnswerTable as a, reviewClaimTable as c } from '../../records/review/review-table.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import { type VisitRow, visitTable as v } from '../../records/visits/visit-table.ts';
import { type FoundPhoto, findPhoto } from '../photos/find-photos.ts';
import { needsPerson } from '../photos/photo.ts';
import type { CaseFacts } from './review-case.ts';

/** Flags of a visit that its picture decides. */
export const PICTURE_FLAGS = [
  'uncertain-plate',
  'uncertain-permit',
  'blocklist-lookalike',
  'unreadable-plate',
] as const;

/** The reviewer, and the sites of the cases; null: every site. */
export interface Reviewer {
  accountId: string;
  siteIds: readonly string[] | null;
  now: UtcTime;
  /** Cases that they skipped after this moment do not come back to them yet. */
  skippedSince: UtcTime;
}

interface QueuedPhoto {
  id: string;
  at: string;
}

const hasPicture = or(isNotNull(p.url), isNotNull(p.plateUrl));

/** The oldest cases that this person may have: not claimed by another, and not skipped by them lately. */
export async function nextCases(q: Queries, reviewer: Reviewer, limit: number): Promise<CaseFacts[]> {
  const free = freeFor(reviewer);
  const queued = [...(await waiting(q, reviewer.siteIds, free, limit)), ...(await blind(q, reviewer, limit))];
  const order = queued.sort((one, other) => (place(one) < place(other) ? -1 : 1));
  const ids = [...new Set(order.map(({ id }) => id))].slice(0, limit);
  const cases: CaseFacts[] = [];
  for (const id of ids) {
    const found = await findPhoto(q, id, ALL_ROWS);
    if (found !== null) cases.push(await factsOf(q, found, reviewer));
  }
  return cases;
}

const place = ({ at, id }: QueuedPhoto) => `${at} ${id}`;

/** How many pictures need a person, and how long the oldest has waited; blind looks are not counted. */
export async function countWaiting(
  q: Queries,
  siteIds: readonly string[] | null,
): Promise<{ waiting: number; oldest: UtcTime | null }> {
  const all = await waiting(q, siteIds, undefined, MAX_COUNTED);
  const ids = new Set(all.map(({ id }) => id));
  const oldest = all.map(({ at }) => at).sort()[0] ?? null;
  return { waiting: Math.min(ids.size, MAX_COUNTED), oldest };
}

/** The highest count that is shown. */
export const MAX_COUNTED = 1000;

/** The ways into the queue, oldest first, each by a separate index. */
async function waiting(
  q: Queries,
  siteIds: readonly string[] | null,
  free: SQL | undefined,
  limit: number,
): Promise<QueuedPhoto[]> {
  const columns = { id: p.id, at: p.receivedAt };
  const found: QueuedPhoto[] = [];
  for (const status of ['need-review', 'force-review']) {
    const rows = await q
      .select(columns)
      .from(p)
      .where(
        and(
          // The first condition matches the index photo_for_review.
          sql`${p.status} IN ('need-review', 'force-review') AND ${p.status} = ${status}`,
          sql`${p.source} <> 'test'`,
          ofSites(p.siteId, siteIds),
          hasPicture,
          free,
        ),
      )
      .orderBy(p.receivedAt, rowOf(p.id))
      .limit(limit);
    found.push(...rows);
  }
  for (const { photoId, condition } of VISIT_WAYS) {
    const rows = await q
      .select(columns)
      .from(v)
      .innerJoin(p, eq(p.id, photoId))
      .where(and(condition, eq(p.status, 'new'), ofSites(v.siteId, siteIds), hasPicture, free))
      .orderBy(v.startedAt, rowOf(v.id))
      .limit(limit);
    found.push(...rows);
  }
  return found;
}

/** The photo of the exit if its read is uncertain, else that of the entrance. */
const decidingPhoto = sql`CASE WHEN instr(${v.flags}, '"uncertain-') > 0
  THEN coalesce(${v.exitReadId}, ${v.entryReadId}) ELSE ${v.entryReadId} END`;

const VISIT_WAYS = [
  { photoId: sql`${v.entryReadId}`, condition: sql`${v.status} = 'need-plate'` },
  {
    photoId: decidingPhoto,
    condition: and(
      sql`${v.flags} <> '[]'`,
      or(...PICTURE_FLAGS.map((flag) => sql`instr(${v.flags}, ${`"${flag}"`}) > 0`)),
    ),
  },
] as const;

/** Decided pictures that another person must check too; they stand in the order of their decisions. */
async function blind(
  q: Queries,
  { accountId, ...reviewer }: Reviewer,
  limit: number,
): Promise<QueuedPhoto[]> {
  return await q
    .select({ id: p.id, at: a.answeredAt })
    .from(a)
    .innerJoin(p, eq(p.id, a.photoId))
    .where(
      and(
        sql`${a.awaitsBlind} = 1`,
        ne(a.accountId, accountId),
        ne(p.status, 'deleted'),
        ofSites(a.siteId, reviewer.siteIds),
        hasPicture,
        freeFor({ accountId, ...reviewer }),
      ),
    )
    .orderBy(a.answeredAt, a.id)
    .limit(limit);
}

function freeFor({ accountId, now, skippedSince }: Reviewer): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${c} WHERE ${eq(c.photoId, p.id)} AND ${gt(c.until, now)} AND ${ne(c.accountId, accountId)})
    AND NOT EXISTS (SELECT 1 FROM ${a} AS skipped WHERE skipped.photo_id = ${p.id} AND skipped.kind = 'skip'
      AND skipped.account_id = ${sql.param(accountId)} AND skipped.answered_at > ${sql.param(skippedSince)})`;
}

/** The facts of a picture that a person sees; of a decided one, the same as the first person saw. */
export async function factsOf(
  q: Queries,
  found: FoundPhoto,
  { accountId, now }: Pick<Reviewer, 'accountId' | 'now'>,
): Promise<CaseFacts> {
  const { photo, visitId } = found;
  const claimedUntil = await ownClaim(q, photo.id, accountId, now);
  const [first] = await q
    .select()
    .from(a)
    .where(and(eq(a.photoId, photo.id), sql`${a.kind} = 'first'`));
  if (first !== undefined && !needsPerson(photo)) {
    const { readPlate, causes, plateEffect, undo } = first;
    return {
      found,
      read: readPlate,
      causes,
      plateEffect,
      claimedUntil,
      visitId: undo?.visit?.id ?? undo?.photo.visitId ?? visitId,
    };
  }
  const visit = visitId === null ? null : await findVisitRow(q, visitId, ALL_ROWS);
  return {
    found,
    read: photo.plate,
    visitId,
    claimedUntil,
    causes: causesOf(found, visit),
    plateEffect: effectOf(found, visit),
  };
}

async function ownClaim(
  q: Queries,
  photoId: string,
  accountId: string,
  now: UtcTime,
): Promise<UtcTime | null> {
  const [claim] = await q
    .select({ until: c.until })
    .from(c)
    .where(and(eq(c.photoId, photoId), eq(c.accountId, accountId), gt(c.until, now)));
  return claim?.until ?? null;
}

function causesOf({ photo, reason }: FoundPhoto, visit: VisitRow | null): ReviewCause[] {
  const causes: ReviewCause[] = [];
  if (photo.status === 'force-review') causes.push('marked');
  if (photo.status === 'need-review') {
    const unmatched = reason === 'no-visit' || reason === 'ambiguous-visit';
    causes.push(photo.plate === null ? 'unreadable' : unmatched ? 'no-visit' : 'unused-read');
  }
  if (visit?.status === 'need-plate') causes.push('need-plate');
  for (const flag of PICTURE_FLAGS) if (visit?.flags.includes(flag)) causes.push(flag);
  return causes;
}

function effectOf({ photo, camera }: FoundPhoto, visit: VisitRow | null): PlateEffect {
  if (photo.source === 'test') return 'photo-only';
  if (visit !== null) {
    const isOfVisit = visit.entryReadId === photo.id || visit.exitReadId === photo.id;
    return isOfVisit && visit.status !== 'completed' ? 'visit-plate' : 'photo-only';
  }
  return camera?.location === 'exit' ? 'visit-end' : 'photo-only';
}
