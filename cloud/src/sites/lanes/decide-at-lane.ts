import { newId } from '@hlid/node/new-id';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { cameAfter, decideLateExit, hasJustEnded } from '@hlid/protocol/records/decision';
import { matchPermit } from '@hlid/protocol/records/whitelist';
import { decideEntering, decideLeaving, type SeenPlate } from '@hlid/protocol/rules/lane-facts';
import { type Decided, decidedChanges } from '@hlid/protocol/rules/visit-transitions';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { type FoundOpenVisit, findOpenVisit, lastEndedOf } from '../../records/visits/open-visits.ts';
import { gatherAtExit } from '../../stays/visits/price/exit-facts.ts';
import { permitsLike } from '../../vehicles/whitelist/permits-like.ts';
import type { CloudLane } from './cloud-lane.ts';
import { gatherAtEntry } from './gather-facts.ts';
import type { LanePassage } from './lane-passage.ts';
import { storeChange } from './lane-visits.ts';

export async function decideAtLane(
  q: Queries,
  lane: CloudLane,
  seen: SeenPlate,
  at: UtcTime,
): Promise<Decided> {
  if (lane.direction === 'entry') return decideEntering(await gatherAtEntry(q, lane, seen, at), at);
  const found = await findLeaving(q, lane, seen, at);
  return decideLeaving(await gatherAtExit(q, lane.site, seen, found, at), at);
}

/**
 * Decides about a car that left at that time, after a late read; null: no visit of its plate was under way.
 */
export async function decideLeftEarlier(
  q: Queries,
  lane: CloudLane,
  seen: SeenPlate,
  leftAt: UtcTime,
): Promise<Decided | null> {
  const found = await findOpenVisit(q, lane.site.id, { plate: seen.plate, candidates: [] }, leftAt);
  if (found === null || found === 'ambiguous' || found.foundBy === 'near') return null;
  return decideLeaving(await gatherAtExit(q, lane.site, seen, found, leftAt), leftAt, decideLateExit);
}

/** The open visit of a vehicle at an exit. A vehicle that left a moment ago does not match a similar plate's visit. */
async function findLeaving(
  q: Queries,
  { site }: CloudLane,
  seen: SeenPlate,
  at: UtcTime,
): Promise<FoundOpenVisit | 'ambiguous' | 'just-ended' | null> {
  const found = await findOpenVisit(q, site.id, seen, at);
  const visit = found === 'ambiguous' ? null : found;
  if (seen.plate === null || visit?.foundBy === 'equal') return found;
  const last = await lastEndedOf(q, site.id, seen.plate);
  const ended = last !== null && hasJustEnded(last, site.settings, at) ? last : null;
  // It has come in again, misread, only where that visit began since.
  if (ended && !(visit && cameAfter(visit.visit, ended))) return 'just-ended';
  if (found === null) return null;
  const permitId = await ownPermit(q, site, seen.plate, at);
  if (visit === null) return permitId === null ? found : null;
  return { ...visit, hasOwnPermit: permitId !== null && permitId !== visit.visit.permitId };
}

/** The permit for exactly this plate that holds. */
async function ownPermit(
  q: Queries,
  { id, timeZone }: CloudLane['site'],
  plate: string,
  at: UtcTime,
): Promise<string | null> {
  const rules = { timeZone, confusableScore: 1, visitId: null };
  const match = matchPermit({ plate, score: 1 }, await permitsLike(q, plate, id), at, rules);
  return match?.foundBy === 'equal' ? match.permit.id : null;
}

/** Does to the visit what was decided for a passage, and returns the visit's id. `passed`: see `decidedChanges`. */
export async function carryOut(
  tx: Tx,
  lane: CloudLane,
  passage: LanePassage,
  decided: Decided,
  at: UtcTime,
  passed: boolean,
): Promise<string | null> {
  const { changes, visitId } = decidedChanges(decided, passage, at, { passed, id: newId() });
  for (const change of changes) await storeChange(tx, lane, change);
  return visitId;
}
