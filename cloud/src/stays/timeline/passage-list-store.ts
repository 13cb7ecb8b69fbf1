import type { Direction } from '@hlid/protocol/records/lane';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { listed } from '../../platform/db/compact-columns.ts';
import type { Queries } from '../../platform/db/db.ts';
import { plateRange } from '../../platform/db/search-key.ts';
import { and, asc, eq, gte, inArray, lt, type SQL, sql, unindexed } from '../../platform/db/sql.ts';
import { beyond, inDirection, type ListOrder } from '../../platform/http/keyset.ts';
import { countRows, ofSites, type PageOfRows } from '../../platform/http/list-rows.ts';
import { gateMovementTable, passageDecisionTable as t } from '../../records/passages/passage-table.ts';
import { photoTable as photo } from '../../records/photos/photo-table.ts';

export interface PassageFilters {
  siteId?: string | undefined;
  laneId?: string | undefined;
  /** Normalised: a plate or its beginning. */
  plate?: string | undefined;
  direction?: Direction | undefined;
  open?: boolean | undefined;
  from?: string | undefined;
  before?: string | undefined;
  /** Null: of every site. */
  siteIds: readonly string[] | null;
}

const ORDER: ListOrder = { at: t.at, id: t.id, byRow: true };

const { id, passageId, siteId, laneId, direction, plate, visitId, open, reason, at } = t;
const shown = listed({ id, passageId, siteId, visitId, laneId, direction, plate, open, reason, at });

/** Decisions in order, beyond a place. */
export async function listPassages(q: Queries, filters: PassageFilters, { cursor, limit }: PageOfRows) {
  const go = cursor?.go ?? 'older';
  return await q
    .select(shown)
    .from(t)
    .where(and(conditions(filters), cursor && beyond(ORDER, go, cursor)))
    .orderBy(...inDirection(ORDER, go))
    .limit(limit);
}

export type PassageRow = Awaited<ReturnType<typeof listPassages>>[number];

/** How many there are, up to one more than are counted. */
export async function countPassages(q: Queries, filters: PassageFilters): Promise<number> {
  return await countRows(q, t, conditions(filters));
}

/** A plate leads to fewer rows than a lane, and a lane to fewer than its site: each has an index in order of time. */
function conditions(filters: PassageFilters): SQL | undefined {
  const { siteIds, from, before } = filters;
  const range = filters.plate === undefined ? null : plateRange(filters.plate);
  const lead = range !== null ? 'plate' : filters.laneId !== undefined ? 'lane' : 'site';
  const by = <Column extends SQLiteColumn>(column: Column, leader: typeof lead) =>
    unindexed(column, lead !== leader);
  return and(
    range === null ? undefined : and(gte(t.plateFolded, range.from), lt(t.plateFolded, range.before)),
    filters.laneId === undefined ? undefined : eq(by(t.laneId, 'lane'), filters.laneId),
    filters.siteId === undefined ? undefined : eq(by(t.siteId, 'site'), filters.siteId),
    filters.direction === undefined ? undefined : eq(unindexed(t.direction), filters.direction),
    filters.open === undefined ? undefined : sql`+${t.open} = ${filters.open ? 1 : 0}`,
    from === undefined ? undefined : gte(t.at, from),
    before === undefined ? undefined : lt(t.at, before),
    ofSites(t.siteId, siteIds),
  );
}

/** The commands to gates in some passages, oldest first. */
export async function movementsOf(q: Queries, passageIds: readonly string[]) {
  if (passageIds.length === 0) return [];
  const { action, outcome, at: movedAt } = gateMovementTable;
  return await q
    .select(listed({ passageId: gateMovementTable.passageId, action, outcome, at: movedAt }))
    .from(gateMovementTable)
    .where(inArray(gateMovementTable.passageId, [...new Set(passageIds)]))
    .orderBy(asc(gateMovementTable.at), asc(gateMovementTable.id));
}

/** The reads of some passages, those with a picture first, then the surest. */
export async function readsOf(q: Queries, passageIds: readonly string[]) {
  if (passageIds.length === 0) return [];
  const reads = await q
    .select(listed({ id: photo.id, passageId: photo.passageId, score: photo.score, url: photo.url }))
    .from(photo)
    .where(inArray(photo.passageId, [...new Set(passageIds)]));
  const rank = (read: (typeof reads)[number]) => (read.url === null ? 0 : 1) + read.score / 2;
  return reads.sort((a, b) => rank(b) - rank(a));
}
