import { decideEntry, decideExit } from '@hlid/protocol/decision';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { type Decided, drawnFrom, visitTurn } from '@hlid/protocol/visit-course';
import type { Queries, Tx } from '../db/db.ts';
import { siteVisit } from '../visits/add-visit.ts';
import type { CloudLane } from './cloud-lane.ts';
import { entryFacts, exitFacts, priceThen, type SeenPassage } from './gather-facts.ts';
import type { LanePassage } from './lane-passage.ts';
import { askToPay, begin, leave } from './lane-visits.ts';

export async function decideAtLane(
  q: Queries,
  lane: CloudLane,
  seen: SeenPassage,
  at: UtcTime,
): Promise<Decided> {
  if (lane.direction === 'entry') {
    const { facts, quota } = await entryFacts(q, lane, seen, at);
    const decision = decideEntry(facts);
    const permitId = facts.permit?.permit.id ?? null;
    return {
      decision,
      leaving: null,
      price: null,
      permitId,
      quota: drawnFrom(quota?.id ?? null, decision.quotaUnits ?? 0, null),
    };
  }
  const { facts, leaving, quota } = await exitFacts(q, lane, seen, at);
  const decision = decideExit(facts);
  const { quotaUnits = 0 } = decision;
  const price =
    quotaUnits === 0 || leaving === null
      ? facts.price
      : await priceThen(q, lane, leaving.visit, at, quotaUnits);
  return {
    decision,
    leaving: leaving && { ...leaving, visit: siteVisit(leaving.visit) },
    price,
    permitId: facts.permit?.permit.id ?? null,
    quota: drawnFrom(quota?.id ?? null, quotaUnits, leaving?.visit.quota ?? null),
  };
}

/** Does to the visit what was decided for a passage, and returns the visit's id. `passed`: see `visitTurn`. */
export async function carryOut(
  tx: Tx,
  lane: CloudLane,
  passage: LanePassage,
  decided: Decided,
  at: UtcTime,
  passed: boolean,
): Promise<string | null> {
  const turn = visitTurn(decided, passage, at, passed);
  switch (turn.kind) {
    case 'none':
      return null;
    case 'begin':
      return await begin(tx, lane, turn.arrival, turn.deed);
    case 'ask':
      return await askToPay(tx, lane, turn.visit, turn.demand, turn.deed);
    case 'asked':
      return turn.visit.id;
    case 'leave':
      return await leave(tx, lane, turn.visit, turn.departure, turn.deed);
    default:
      return turn satisfies never;
  }
}
