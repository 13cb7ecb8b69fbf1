import {
  type Decision,
  decideEntry,
  decideExit,
  decideUnread,
  type EntryFacts,
  type ExitFacts,
} from '@hlid/protocol/decision';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { ReviewFlag } from '@hlid/protocol/visit';
import { type Decided, drawnFrom } from '@hlid/protocol/visit-course';
import type { LaneConfig } from '../config.ts';
import type { FactFinder, SeenPlate } from './gather-facts.ts';

/** Whoever comes to a lane that a person keeps closed: nothing begins, and nothing ends. */
export const LANE_CLOSED: Decided = {
  decision: {
    open: false,
    reason: 'closed-by-operator',
    visit: { kind: 'none' },
    settlement: null,
    flags: [],
  },
  leaving: null,
  price: null,
  quota: null,
  permitId: null,
};

/** @param passed its gate is open, whatever is decided: whoever comes in is inside */
export function decideAtLane(
  lane: LaneConfig,
  seen: SeenPlate,
  finder: FactFinder,
  at: UtcTime,
  passed = false,
): Decided {
  if (lane.direction === 'entry') {
    const { facts, quotaId } = finder.entry(seen, lane.id, at);
    const decided = decideEntry(facts);
    const decision = passed ? letIn(decided, facts) : decided;
    return {
      decision,
      leaving: null,
      price: null,
      quota: drawnFrom(quotaId, decision.quotaUnits ?? 0, null),
      permitId: facts.permit?.permit.id ?? null,
    };
  }
  return decideLeaving(seen, finder, at, decideExit);
}

/** A vehicle stands at an exit, and no read of it was good enough; `seen` is the best there is. */
export function decideUnreadAtLane(seen: SeenPlate, finder: FactFinder, at: UtcTime): Decided {
  return decideLeaving(seen, finder, at, decideUnread);
}

/** What an exit would do now for a visit whose plate is certain. */
export function decideForVisit(plate: string, finder: FactFinder, at: UtcTime): Decided {
  return decideLeaving({ plate, score: 1, candidates: [] }, finder, at, decideExit);
}

function decideLeaving(
  seen: SeenPlate,
  finder: FactFinder,
  at: UtcTime,
  rule: (facts: ExitFacts) => Decision,
): Decided {
  const { facts, leaving, quotaId } = finder.exit(seen, at);
  const decision = rule(facts);
  const quota = drawnFrom(quotaId, decision.quotaUnits ?? 0, leaving?.visit.quota ?? null);
  const met = leaving !== null && quota !== null && quota.units > 0;
  return {
    decision,
    leaving,
    price: met ? finder.priceWith(leaving.visit, quota, at) : facts.price,
    quota,
    permitId: facts.permit?.permit.id ?? null,
  };
}

/** Let in by a person, or through a gate that is held open: a visit begins, why ever the lane would not have it. */
function letIn(decision: Decision, { plate, insideVisitId }: EntryFacts): Decision {
  if (decision.visit.kind !== 'none') return decision;
  const status = plate === null ? 'need-plate' : 'new';
  const flags: ReviewFlag[] = plate === null ? ['unreadable-plate'] : decision.flags;
  return { ...decision, visit: { kind: 'start', status, lostExitOf: insideVisitId }, flags };
}
