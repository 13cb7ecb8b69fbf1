import { foldPlate } from '@hlid/protocol/plate/plate';
import type { DecisionReason } from '@hlid/protocol/records/decision';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { listed } from '../../platform/db/compact-columns.ts';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { preparedInsert } from '../../platform/db/prepared-insert.ts';
import { hasPlate, plateRange } from '../../platform/db/search-key.ts';
import {
  and,
  asc,
  desc,
  eq,
  eqPlaceholder,
  getTableColumns,
  gt,
  gte,
  isNotNull,
  lt,
  type SQL,
  sql,
  unindexed,
} from '../../platform/db/sql.ts';
import { beyond, inDirection, type ListOrder, rowOf } from '../../platform/http/keyset.ts';
import { COUNTED_UP_TO, type Cursor } from '../../platform/http/list-envelope.ts';
import { countRows, ofSite, ofSites } from '../../platform/http/list-rows.ts';
import { cameraTable } from '../cameras/camera-table.ts';
import { passageDecisionTable } from '../passages/passage-table.ts';
import { READS_TO_JUDGE_CLOCK } from './clock-behind.ts';
import { photoTable as t } from './photo-table.ts';

export type PhotoRow = typeof t.$inferSelect;

/** A photo with what belongs to it. */
export interface FoundPhoto {
  photo: PhotoRow;
  /** Its place among photos of one moment. */
  row: number;
  camera: { id: string; name: string; location: 'entrance' | 'exit' } | null;
  visitId: string | null;
  /** Whether the last decision about its passage was to open. */
  open: boolean | null;
  reason: DecisionReason | null;
}

const d = passageDecisionTable;

/** A column of the newest decision about a photo's passage. */
function lastDecision<Column extends SQLiteColumn>(column: Column, condition: SQL = sql`1`) {
  const own: SQLiteColumn = column;
  return sql`(SELECT ${own} FROM ${d} WHERE ${d.passageId} = ${t.passageId} AND ${condition}
    ORDER BY ${d.at} DESC, ${d}.rowid DESC LIMIT 1)`.mapWith(column);
}

export function selectPhotos(q: Queries) {
  return q
    .select({
      photo: listed(getTableColumns(t)),
      row: rowOf(t.id),
      camera: { id: cameraTable.id, name: cameraTable.name, location: cameraTable.location },
      visitId: sql`coalesce(${t.visitId}, ${lastDecision(d.visitId, isNotNull(d.visitId))})`.mapWith(
        t.visitId,
      ),
      open: lastDecision(d.open),
      reason: lastDecision(d.reason),
    })
    .from(t)
    .leftJoin(cameraTable, and(eq(cameraTable.siteId, t.siteId), eq(cameraTable.remoteId, t.cameraId)));
}

/** The first read of exactly this plate at an exit of a site after a moment, of those that no visit has. */
export async function findExitRead(
  q: Queries,
  { siteId, plate, after }: { siteId: string; plate: string; after: string },
): Promise<PhotoRow | null> {
  const found = await selectPhotos(q)
    .where(
      and(
        eq(t.plateFolded, foldPlate(plate)),
        gt(t.receivedAt, after),
        ofSite(t.siteId, siteId),
        sql`${t.plate} = ${plate}`,
        sql`${t.source} <> 'test' AND ${t.status} <> 'deleted' AND ${cameraTable.location} = 'exit'`,
      ),
    )
    .orderBy(asc(t.receivedAt))
    .limit(10);
  return found.find(({ visitId }) => visitId === null)?.photo ?? null;
}

const postedByEvent = prepared((q) =>
  q
    .select({
      id: t.id,
      siteId: t.siteId,
      receivedAt: t.receivedAt,
      source: t.source,
      plate: t.plate,
      score: t.score,
    })
    .from(t)
    .where(
      and(
        eqPlaceholder(t.siteId, 'siteId'),
        eqPlaceholder(t.cameraId, 'cameraId'),
        eqPlaceholder(t.eventKey, 'eventKey'),
        sql`${t.source} <> 'site'`,
      ),
    )
    .prepare(),
);

/** The photo that was posted before under a key of the same camera; tests and live reads are apart. */
export async function findPosted(
  q: Queries,
  event: Pick<PhotoRow, 'siteId' | 'cameraId' | 'eventKey' | 'source'>,
): Promise<Pick<PhotoRow, 'id' | 'siteId' | 'receivedAt' | 'plate' | 'score'> | null> {
  const { source, ...place } = event;
  const posted = await postedByEvent(q).all(place);
  return posted.find((photo) => photo.source === source) ?? null;
}

const lastPosted = prepared((q) =>
  q
    .select({ capturedAt: t.capturedAt, receivedAt: t.receivedAt })
    .from(t)
    .where(
      and(
        eqPlaceholder(t.siteId, 'siteId'),
        eqPlaceholder(t.cameraId, 'cameraId'),
        sql`${t.source} = 'posted'`,
      ),
    )
    .orderBy(desc(t.receivedAt), desc(rowOf(t.id)))
    .limit(READS_TO_JUDGE_CLOCK)
    .prepare(),
);

/** When a camera's last reads were captured and came, newest first. */
export async function lastReads(q: Queries, siteId: string, cameraId: string) {
  return await lastPosted(q).all({ siteId, cameraId });
}

export const insertPhoto = preparedInsert(t);

export async function updatePhoto(q: Queries, id: string, fields: Partial<PhotoRow>): Promise<void> {
  await q.update(t).set(fields).where(eq(t.id, id));
}

export interface PhotoFilters {
  needReview: boolean;
  plate: string | undefined;
  from: string | undefined;
  before: string | undefined;
  /** The cameras of the photos; null: all. Each choice has a separate index. */
  cameras: readonly PhotoCamera[] | null;
  /** Null: of every site. */
  siteIds: readonly string[] | null;
  siteId?: string | undefined;
}

interface PhotoCamera {
  siteId: string;
  remoteId: string;
}

interface Page {
  cursor: Cursor | undefined;
  limit: number;
}

/**
 * Photos newest first, beyond a place; those that need review oldest first, for they have waited longest. What an index
 * has in order is read by itself, so far as a page goes, and the parts are put in order here.
 */
export async function listPhotos(q: Queries, filters: PhotoFilters, page: Page): Promise<FoundPhoto[]> {
  const { cursor, limit } = page;
  const forward = (cursor?.go ?? 'older') === 'older';
  const go = forward !== filters.needReview ? 'older' : 'newer';
  const order: ListOrder = { at: t.receivedAt, id: t.id, byRow: true };
  const parts = partsOf(filters);
  const found: FoundPhoto[] = [];
  for (const part of parts) {
    const rows = await selectPhotos(q)
      .where(and(part, cursor && beyond(order, go, cursor)))
      .orderBy(...inDirection(order, go))
      .limit(limit);
    found.push(...rows);
  }
  if (parts.length === 1) return found;
  const sign = go === 'older' ? -1 : 1;
  const isBefore = (a: FoundPhoto, b: FoundPhoto) =>
    a.photo.receivedAt === b.photo.receivedAt ? a.row < b.row : a.photo.receivedAt < b.photo.receivedAt;
  return found.sort((a, b) => (isBefore(a, b) ? -sign : sign)).slice(0, limit);
}

/** How many there are, up to one more than are counted. */
export async function countPhotos(q: Queries, filters: PhotoFilters): Promise<number> {
  let n = 0;
  for (const part of partsOf(filters)) {
    n += await countRows(q, t, part, COUNTED_UP_TO + 1 - n);
    if (n > COUNTED_UP_TO) break;
  }
  return n;
}

/** The conditions of each part of a list that an index has in order; a plate leads to fewer rows than all others. */
function partsOf(filters: PhotoFilters): (SQL | undefined)[] {
  const { needReview, plate, from, before, cameras, siteIds, siteId } = filters;
  const by = <Column extends SQLiteColumn>(column: Column) => unindexed(column, plate !== undefined);
  const statuses = needReview ? (['need-review', 'force-review'] as const) : [null];
  return (cameras ?? [null]).flatMap((camera) =>
    statuses.map((status) =>
      and(
        sql`${t.source} <> 'test'`,
        ofSites(t.siteId, siteIds),
        // One with a camera has an index, as has a plate; those that need review are few.
        siteId === undefined
          ? undefined
          : cameras === null && !needReview && plate === undefined
            ? eq(t.siteId, siteId)
            : ofSite(t.siteId, siteId),
        // The first condition matches the index photo_for_review.
        status === null
          ? undefined
          : and(sql`${by(t.status)} IN ('need-review', 'force-review')`, eq(by(t.status), status)),
        plate === undefined ? undefined : hasPlate(t, plateRange(plate)),
        from === undefined ? undefined : gte(by(t.receivedAt), from),
        before === undefined ? undefined : lt(by(t.receivedAt), before),
        camera === null
          ? undefined
          : and(eq(by(t.siteId), camera.siteId), eq(by(t.cameraId), camera.remoteId)),
      ),
    ),
  );
}
