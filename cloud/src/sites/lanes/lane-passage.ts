import { newId } from '@hlid/node/new-id';
import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { PlateRead } from '@hlid/protocol/plate/plate-read';
import { findPassage, plateForOtherLanes } from '@hlid/protocol/records/passage';
import {
  beginPassage,
  type PassageCourse,
  type SeenOnBoth,
  seenOnBoth,
} from '@hlid/protocol/rules/passage-transitions';
import type { Db, Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { fromNewRow, preparedInsert } from '../../platform/db/prepared-insert.ts';
import { and, desc, eqPlaceholder, gt, lt, ne, sql } from '../../platform/db/sql.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { doubtfulCarTable } from '../../records/lanes/doubtful-car-table.ts';
import { lanePassageTable as t } from '../../records/lanes/lane-passage-table.ts';
import { standingPlateTable } from '../../records/lanes/standing-plate-table.ts';
import { openVisitOf } from '../../records/visits/open-visits.ts';
import type { CloudLane } from './cloud-lane.ts';

/** One vehicle passing one lane. */
export interface LanePassage extends PassageCourse {
  siteId: string;
  /** The vehicle had left when its read arrived. */
  passed: boolean;
}

/** A read joins one of the newest. */
const RECENT = 40;
const KEPT_MS = DAY_MS;

const recentOnLane = prepared((q) =>
  q
    .select()
    .from(t)
    .where(and(eqPlaceholder(t.siteId, 'siteId'), eqPlaceholder(t.laneId, 'laneId')))
    .orderBy(desc(t.lastSeenAt))
    .limit(RECENT)
    .prepare(),
);

/** Passages of a plate since a moment, on the other lanes of its site. */
const samePlateElsewhere = and(
  eqPlaceholder(t.siteId, 'siteId'),
  eqPlaceholder(t.plate, 'plate'),
  gt(t.lastSeenAt, sql.placeholder('since')),
  ne(t.laneId, sql.placeholder('laneId')),
);

const onOtherLane = prepared((q) =>
  q.select({ id: t.id }).from(t).where(samePlateElsewhere).limit(1).prepare(),
);

const withPlate = prepared((q) =>
  q.select().from(t).where(samePlateElsewhere).orderBy(desc(t.lastSeenAt)).limit(RECENT).prepare(),
);

/** The car of a read that has no passage here, where another lane of this direction has let it through just now. */
export async function passedAtOtherLane(
  q: Queries,
  lane: CloudLane,
  plate: string | null,
  at: UtcTime,
): Promise<SeenOnBoth<LanePassage> | null> {
  if (plate === null) return null;
  const { id: siteId, settings } = lane.site;
  const since = utcTime(millis(at) - Math.max(settings.sameCarMs, settings.standingMs));
  const rows = await withPlate(q).all({ siteId, laneId: lane.id, plate, since });
  const elsewhere = rows.map((row): LanePassage => ({ ...row, keys: new Set(row.keys) }));
  const both = seenOnBoth(elsewhere, { direction: lane.direction, onLoop: null }, at, settings);
  if (both === null || lane.direction === 'exit') return both;
  // Driven out since, it is another stay.
  const inside = await openVisitOf(q, siteId, plate, at);
  return inside?.id === both.passage.visitId ? both : null;
}

const upsert = preparedInsert(t, {
  target: t.id,
  set: fromNewRow(
    t,
    'plate',
    'score',
    'votes',
    'lastSeenAt',
    'keys',
    'decision',
    'visitId',
    'readId',
    'passed',
  ),
});

const byId = prepared((q) => q.select().from(t).where(eqPlaceholder(t.id, 'id')).prepare());

export async function passageById(q: Queries, id: string): Promise<LanePassage | null> {
  const row = await byId(q).get({ id });
  return row === undefined ? null : { ...row, keys: new Set(row.keys) };
}

export async function savePassage(q: Queries, passage: LanePassage): Promise<void> {
  await upsert(q, { ...passage, keys: [...passage.keys] });
}

/** Whether the vehicle may have driven on: what is read of it from here on can only correct. */
export function mayBeGone({ decision, passed }: LanePassage): boolean {
  return decision.open || passed;
}

/** The newest passages of a lane, newest first. */
export async function recentPassages(q: Queries, siteId: string, laneId: string): Promise<LanePassage[]> {
  const rows = await recentOnLane(q).all({ siteId, laneId });
  return rows.map((row) => ({ ...row, keys: new Set(row.keys) }));
}

/** The passage on this lane to which a read belongs. */
export async function passageOf(
  q: Queries,
  lane: CloudLane,
  read: PlateRead,
  at: UtcTime,
): Promise<LanePassage | null> {
  const siteId = lane.site.id;
  const recent = await recentPassages(q, siteId, lane.id);
  const found = findPassage(read, at, recent, lane.site.settings, mayBeGone);
  if (found === null) return null;
  const plate = plateForOtherLanes(found, read);
  if (plate === null) return found;
  const elsewhere = await onOtherLane(q).get({ siteId, laneId: lane.id, plate, since: found.lastSeenAt });
  return elsewhere === undefined ? found : null;
}

/** A passage that is not decided yet. */
export function newPassage(lane: CloudLane, read: PlateRead, readId: string, at: UtcTime): LanePassage {
  const course = beginPassage({ id: newId(), laneId: lane.id, readId }, read, at);
  return { ...course, siteId: lane.site.id, passed: false };
}

/** Deletes passages to which no read can belong any more; photos and decisions remain. */
export function passageRetentionJob(db: Db): ScheduledRun {
  return {
    name: 'lane-passages',
    everyMs: HOUR_MS,
    work: async ({ now }) => {
      const before = utcTime(millis(now) - KEPT_MS);
      await db.write(async ({ q }) => {
        await q.delete(t).where(lt(t.lastSeenAt, before));
        await q.delete(doubtfulCarTable).where(lt(doubtfulCarTable.at, before));
        await q.delete(standingPlateTable).where(lt(standingPlateTable.seenAt, before));
      });
    },
  };
}
