import { newId } from '@hlid/node/new-id';
import { cameAfter, decideLateExit, hasJustEnded } from '@hlid/protocol/decision';
import { decideEntering, decideLeaving, type SeenPlate } from '@hlid/protocol/lane-facts';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { actionChanges, type Decided, plateComingIn, visitAction } from '@hlid/protocol/visit-transitions';
import type { Queries, Tx } from '../db/db.ts';
import { gatherAtExit } from '../visits/price/exit-facts.ts';
import { type FoundOpenVisit, findOpenVisit, lastEndedOf } from '../visits/record/open-visits.ts';
import type { CloudLane } from './cloud-lane.ts';
import { gatherAtEntry } from './gather-facts.ts';
import type { LanePassage } from './lane-passage.ts';
import { openSiteVisit, storeChange } from './lane-visits.ts';

export async function decideAtLane(
  q: Queries,
  lane: CloudLane,
  seen: SeenPlate,
  at: UtcTime,
): Promise<Decided> {
  if (lane.direction === 'entry') return decideEntering(await gatherAtEntry(q, lane, seen, at), at);
  const found = await findLeaving(q, lane, seen, at);
  return decideLeaving(await gatherAtExit(q, lane.site, seen, found), at);
}

/** Of a car that left at that time, of which the read arrives only now; null: no visit of its plate was under way. */
export async function decideLeftEarlier(
  q: Queries,
  lane: CloudLane,
  seen: SeenPlate,
  leftAt: UtcTime,
): Promise<Decided | null> {
  const found = await findOpenVisit(q, lane.site.id, { plate: seen.plate, candidates: [] }, leftAt);
  if (found === null || found === 'ambiguous' || found.foundBy === 'near') return null;
  return decideLeaving(await gatherAtExit(q, lane.site, seen, found), leftAt, decideLateExit);
}

/** The open visit of a vehicle at an exit. A vehicle that left a moment ago does not match a similar plate's visit. */
async function findLeaving(
  q: Queries,
  { site }: CloudLane,
  seen: SeenPlate,
  at: UtcTime,
): Promise<FoundOpenVisit | 'ambiguous' | 'just-ended' | null> {
  const found = await findOpenVisit(q, site.id, seen, at);
  if (seen.plate === null || (found !== null && found !== 'ambiguous' && found.foundBy === 'equal'))
    return found;
  const last = await lastEndedOf(q, site.id, seen.plate);
  if (last === null || !hasJustEnded(last, site.settings, at)) return found;
  // It has come in again, misread, only where that visit began since.
  const cameAgain = found !== null && found !== 'ambiguous' && cameAfter(found.visit, last);
  return cameAgain ? found : 'just-ended';
}

/** Does to the visit what was decided for a passage, and returns the visit's id. `passed`: see `visitAction`. */
export async function carryOut(
  tx: Tx,
  lane: CloudLane,
  passage: LanePassage,
  decided: Decided,
  at: UtcTime,
  passed: boolean,
): Promise<string | null> {
  const turn = visitAction(decided, passage, at, passed);
  const plate = plateComingIn(turn);
  const inside = plate === null ? null : await openSiteVisit(tx.q, lane, plate, at);
  const { changes, visitId } = actionChanges(turn, { id: newId(), inside });
  for (const change of changes) await storeChange(tx, lane, change);
  return visitId;
}
