import { randomUUID } from 'node:crypto';
import type { Decision } from '@hlid/protocol/decision';
import { correctsPlate, findPassage } from '@hlid/protocol/passage';
import type { PlateRead } from '@hlid/protocol/plate-read';
import { DAY_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import { and, desc, eq, gt, lt, ne, sql } from 'drizzle-orm';
import type { Db, Queries } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import { fromNewRow, preparedInsert } from '../db/prepared-insert.ts';
import type { ScheduledRun } from '../jobs/scheduled-runs.ts';
import type { CloudLane } from './cloud-lane.ts';
import { lanePassageTable as t } from './lane-passage-table.ts';

/** One vehicle passing one lane. */
export type LanePassage = typeof t.$inferSelect;

/** A read joins one of the newest … */
const RECENT = 40;
/** … and no more vehicles than these can be before one camera within a passage's window. */
const MOST_IN_VIEW = 5;
/** Of a car that stands in view for hours only the newest keys are kept. */
const MOST_KEYS = 60;
const KEPT_MS = DAY_MS;

/** Closed and undecided: what a passage is before anybody has looked at it. */
const UNDECIDED: Decision = {
  open: false,
  reason: 'no-visit',
  visit: { kind: 'none' },
  settlement: null,
  flags: [],
};

const recentOnLane = prepared((q) =>
  q
    .select()
    .from(t)
    .where(and(eq(t.siteId, sql.placeholder('siteId')), eq(t.laneId, sql.placeholder('laneId'))))
    .orderBy(desc(t.lastSeenAt))
    .limit(RECENT)
    .prepare(),
);

const onOtherLane = prepared((q) =>
  q
    .select({ id: t.id })
    .from(t)
    .where(
      and(
        eq(t.siteId, sql.placeholder('siteId')),
        eq(t.plate, sql.placeholder('plate')),
        gt(t.lastSeenAt, sql.placeholder('since')),
        ne(t.laneId, sql.placeholder('laneId')),
      ),
    )
    .limit(1)
    .prepare(),
);

export const savePassage = preparedInsert(t, {
  target: t.id,
  set: fromNewRow(t, 'plate', 'score', 'lastSeenAt', 'keys', 'decision', 'visitId', 'readId', 'passed'),
});

/** Whether the vehicle may have driven on: what is read of it from here on can only correct. */
export function mayBeGone({ decision, passed }: LanePassage): boolean {
  return decision.open || passed;
}

/** The passage on this lane to which a read belongs. */
export async function passageOf(
  q: Queries,
  lane: CloudLane,
  read: PlateRead,
  at: UtcTime,
): Promise<LanePassage | null> {
  const siteId = lane.site.id;
  const recent = await recentOnLane(q).all({ siteId, laneId: lane.id });
  const keys = [read.eventKey, ...read.relatedKeys];
  const sameEvent = recent.find((passage) => keys.some((key) => passage.keys.includes(key)));
  if (sameEvent) return sameEvent;
  const inView = recent
    .slice(0, MOST_IN_VIEW)
    .map((passage) => ({ ...passage, keys: new Set(passage.keys), open: mayBeGone(passage) }));
  const found = findPassage(read, at, inView, lane.site.settings);
  const passage = recent.find((candidate) => candidate.id === found?.id);
  if (passage === undefined) return null;
  if (passage.plate === null) return passage;
  // Seen at another lane meanwhile: it has driven through, and this is another time.
  const { plate, lastSeenAt: since } = passage;
  const elsewhere = await onOtherLane(q).get({ siteId, laneId: lane.id, plate, since });
  return elsewhere === undefined ? passage : null;
}

/** A passage that nobody has looked at yet. */
export function beginPassage(lane: CloudLane, read: PlateRead, readId: string, at: UtcTime): LanePassage {
  return {
    id: randomUUID(),
    siteId: lane.site.id,
    laneId: lane.id,
    plate: read.plate,
    score: read.score,
    firstSeenAt: at,
    lastSeenAt: at,
    keys: [read.eventKey, ...read.relatedKeys],
    decision: UNDECIDED,
    visitId: null,
    readId,
    passed: false,
  };
}

/** The passage after one more read, which may know its plate better. A late read does not keep it in view. */
export function joinPassage(passage: LanePassage, read: PlateRead, seenAt: UtcTime | null): LanePassage {
  const corrected = correctsPlate(passage, read);
  const same = read.plate === passage.plate;
  return {
    ...passage,
    lastSeenAt: seenAt ?? passage.lastSeenAt,
    keys: [...new Set([...passage.keys, read.eventKey, ...read.relatedKeys])].slice(-MOST_KEYS),
    plate: corrected ? read.plate : passage.plate,
    score: corrected ? read.score : same ? Math.max(passage.score, read.score) : passage.score,
  };
}

/** Forgets passages to which no read can belong any more; photos and decisions tell of them from then on. */
export function forgetPassages(db: Db): ScheduledRun {
  return {
    name: 'lane-passages',
    everyMs: DAY_MS / 24,
    work: async ({ now }) => {
      const before = utcTime(millis(now) - KEPT_MS);
      await db.write(({ q }) =>
        q
          .delete(t)
          .where(lt(t.lastSeenAt, before))
          .then(() => undefined),
      );
    },
  };
}
