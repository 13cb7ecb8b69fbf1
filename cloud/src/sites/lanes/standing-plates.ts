import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import type { PlateRead } from '@hlid/protocol/plate/plate-read';
import {
  firstSight,
  isForgotten,
  judgeStanding,
  mayBeStanding,
  passagesSince,
  type StandingFacts,
  type StandingPlate,
  sightBeside,
  standingAfter,
} from '@hlid/protocol/rules/standing-plate';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { fromNewRow, preparedInsert } from '../../platform/db/prepared-insert.ts';
import { and, desc, eq, eqPlaceholder, sql } from '../../platform/db/sql.ts';
import { ALL_ROWS } from '../../platform/http/caller.ts';
import { cameraTable } from '../../records/cameras/camera-table.ts';
import { standingPlateTable as t } from '../../records/lanes/standing-plate-table.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import { openVisitOf } from '../../records/visits/open-visits.ts';
import { permitsLike } from '../../vehicles/whitelist/permits-like.ts';
import type { CloudLane } from './cloud-lane.ts';
import { type LanePassage, mayBeGone, recentPassages } from './lane-passage.ts';

/** Limit of a lane; of more, those that were read last count. */
const MAX_OF_LANE = 20;
/** A car is parked there if answers have opened for this time and this often. A site's own lane gives up as early. */
const GIVES_UP_AFTER_MS = 1.25 * MINUTE_MS;
const GIVES_UP_AFTER_READS = 5;

const ofLane = prepared((q) =>
  q
    .select()
    .from(t)
    .where(and(eqPlaceholder(t.siteId, 'siteId'), eqPlaceholder(t.laneId, 'laneId')))
    .orderBy(desc(t.seenAt))
    .limit(MAX_OF_LANE)
    .prepare(),
);

const remove = prepared((q) =>
  q
    .delete(t)
    .where(
      and(
        eqPlaceholder(t.siteId, 'siteId'),
        eqPlaceholder(t.laneId, 'laneId'),
        eqPlaceholder(t.plate, 'plate'),
      ),
    )
    .prepare(),
);

const upsert = preparedInsert(t, {
  target: [t.siteId, t.laneId, t.plate],
  set: fromNewRow(t, 'seenAt', 'standing'),
});

const lanesOf = prepared((q) =>
  q
    .select({ laneId: cameraTable.remoteId })
    .from(cameraTable)
    .where(
      and(
        eqPlaceholder(cameraTable.siteId, 'siteId'),
        eqPlaceholder(cameraTable.location, 'location'),
        eq(cameraTable.status, sql`'active'`),
      ),
    )
    .prepare(),
);

/**
 * Notes a read of what stands still in view of a lane's camera. Null: a car comes.
 *
 * @param known the passage of the read
 * @returns the passage in which it was let through once; `isNew`: people are to be advised of it
 */
export async function noteStanding(
  tx: Tx,
  lane: CloudLane,
  read: PlateRead,
  known: LanePassage | null,
  at: UtcTime,
): Promise<{ passageId: string | null; isNew: boolean } | null> {
  if (read.plate === null) return null;
  const { q } = tx;
  const before = await standingLike(q, lane, read, at);
  const standing = before ?? (await sightOf(q, lane, read, known, at));
  if (standing === null) return null;
  const facts = await factsOf(q, lane, standing, read, known, at);
  const verdict = judgeStanding(standing, read, at, facts);
  const place = { siteId: lane.site.id, laneId: lane.id };
  if (verdict === 'passes') {
    if (before) await remove(q).run({ ...place, plate: before.plate });
    return null;
  }
  const { standing: seen, isNew } = standingAfter(standing, read, at, { verdict, facts });
  await saveStanding(q, lane, seen);
  return verdict === 'stands' ? { passageId: standing.passageId, isNew } : null;
}

/** A car that another lane has let through is in view here too: it may stand between both. */
export async function noteSeenBeside(
  q: Queries,
  lane: CloudLane,
  read: PlateRead,
  passage: LanePassage,
  at: UtcTime,
): Promise<void> {
  const sight = sightBeside(passage, read, at);
  if (sight) await saveStanding(q, lane, sight);
}

async function saveStanding(q: Queries, lane: CloudLane, standing: StandingPlate): Promise<void> {
  const { plate, seenAt } = standing;
  await upsert(q, { siteId: lane.site.id, laneId: lane.id, plate, seenAt, standing });
}

async function standingLike(
  q: Queries,
  lane: CloudLane,
  read: PlateRead,
  at: UtcTime,
): Promise<StandingPlate | null> {
  const rows = await ofLane(q).all({ siteId: lane.site.id, laneId: lane.id });
  const found = rows.find(({ standing }) => !isForgotten(standing, at) && mayBeStanding(standing, read));
  return found?.standing ?? null;
}

/** The newest car that the lane has let through with the plate of the read. */
async function sightOf(
  q: Queries,
  lane: CloudLane,
  read: PlateRead,
  known: LanePassage | null,
  at: UtcTime,
): Promise<StandingPlate | null> {
  if (known !== null) return hasGivenUp(known, at) ? firstSight(known, read) : null;
  for (const passage of await recentPassages(q, lane.site.id, lane.id)) {
    const sight = mayBeGone(passage) ? firstSight(passage, read) : null;
    if (sight) return sight;
  }
  return null;
}

async function factsOf(
  q: Queries,
  lane: CloudLane,
  standing: StandingPlate,
  read: PlateRead,
  known: LanePassage | null,
  at: UtcTime,
): Promise<StandingFacts> {
  const { id: siteId, settings } = lane.site;
  const location = lane.direction === 'entry' ? 'exit' : 'entrance';
  const others = await lanesOf(q).all({ siteId, location });
  const otherDirection: LanePassage[] = [];
  for (const { laneId } of others) otherDirection.push(...(await recentPassages(q, siteId, laneId)));
  const here = await recentPassages(q, siteId, lane.id);
  const since = passagesSince(standing, { here, otherDirection, wasLetThrough: mayBeGone });
  return {
    direction: lane.direction,
    settings,
    hasOtherDirection: others.length > 0,
    movedOn: since.movedOn || (await hasLeft(q, lane, standing)),
    mayHaveLeft: since.mayHaveLeft,
    passedSince: since.passedSince,
    inside: await isInside(q, siteId, standing, at),
    isKnownHere: await isKnownHere(q, siteId, standing, read, at),
    gaveUp: known !== null && hasGivenUp(known, at),
    onLoop: null,
  };
}

function hasGivenUp(passage: LanePassage, at: UtcTime): boolean {
  const [elected] = passage.votes;
  const sinceMs = millis(at) - millis(passage.firstSeenAt);
  return mayBeGone(passage) && sinceMs > GIVES_UP_AFTER_MS && (elected?.reads ?? 0) >= GIVES_UP_AFTER_READS;
}

/** An exit has ended the visit that it began. */
async function hasLeft(q: Queries, { direction }: CloudLane, { visitId }: StandingPlate): Promise<boolean> {
  if (visitId === null || direction === 'exit') return false;
  const visit = await findVisitRow(q, visitId, ALL_ROWS);
  return visit !== null && visit.endedAt !== null && visit.exitLaneId !== null;
}

async function isInside(
  q: Queries,
  siteId: string,
  { plate, misreadings }: StandingPlate,
  at: UtcTime,
): Promise<boolean> {
  for (const each of [plate, ...misreadings]) if (await openVisitOf(q, siteId, each, at)) return true;
  return false;
}

async function isKnownHere(
  q: Queries,
  siteId: string,
  { plate, misreadings }: StandingPlate,
  { plate: read }: PlateRead,
  at: UtcTime,
): Promise<boolean> {
  if (read === null || read === plate || misreadings.includes(read)) return false;
  if (await openVisitOf(q, siteId, read, at)) return true;
  return (await permitsLike(q, read, siteId)).some((permit) => permit.plate === read);
}
