import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { type Decision, decideEntry, decideUnread, type EntryFacts } from '@hlid/protocol/records/decision';
import type { ReviewFlag } from '@hlid/protocol/records/visit';
import { decideEntering, decideLeaving, type SeenPlate } from '@hlid/protocol/rules/lane-facts';
import { type LeavingTimes, leavingTimes } from '@hlid/protocol/rules/leave-by';
import type { Decided } from '@hlid/protocol/rules/visit-transitions';
import type { LaneConfig } from '../config/config.ts';
import type { FactFinder } from './gather-facts.ts';

/** A vehicle at a lane that an operator keeps closed: no visit starts or ends. */
export const LANE_CLOSED: Decided = {
  decision: {
    open: false,
    reason: 'closed-by-operator',
    visit: { kind: 'none' },
    settlement: null,
    flags: [],
  },
  leaving: null,
  inside: null,
  price: null,
  quota: null,
  permitId: null,
};

/** @param passed the gate is open whatever is decided, so the vehicle is inside */
export function decideAtLane(
  lane: LaneConfig,
  seen: SeenPlate,
  finder: FactFinder,
  at: UtcTime,
  passed = false,
): Decided {
  if (lane.direction === 'exit') return decideLeaving(finder.exit(seen, at), at);
  const gathered = finder.entry(seen, lane, at);
  return passed
    ? decideEntering(gathered, at, (facts) => letIn(decideEntry(facts), facts))
    : decideEntering(gathered, at);
}

/** A vehicle stands at an exit, and no read of it was good enough; `seen` is the best there is. */
export function decideUnreadAtLane(seen: SeenPlate, finder: FactFinder, at: UtcTime): Decided {
  return decideLeaving(finder.exit(seen, at), at, decideUnread);
}

/** The decision that an exit would make now for a visit with a certain plate. */
export function decideForVisit(plate: string, finder: FactFinder, at: UtcTime): Decided {
  return decideLeaving(finder.exit({ plate, score: 1, candidates: [] }, at), at);
}

/** The times until which a car with that plate may leave without paying more. */
export function leavingTimesOf(plate: string, finder: FactFinder, at: UtcTime): LeavingTimes {
  return leavingTimes(finder.exit({ plate, score: 1, candidates: [] }, at), at);
}

/** Let in by a person, or through a gate that is held open: a visit begins, why ever the lane would not have it. */
function letIn(decision: Decision, { plate, insideVisitId }: EntryFacts): Decision {
  if (decision.visit.kind !== 'none') return decision;
  const status = plate === null ? 'need-plate' : 'new';
  const flags: ReviewFlag[] = plate === null ? ['unreadable-plate'] : decision.flags;
  return { ...decision, visit: { kind: 'start', status, lostExitOf: insideVisitId }, flags };
}
