import { type Decision, decideEntry, decideExit, type EntryFacts } from '@hlid/protocol/decision';
import type { Price } from '@hlid/protocol/price-visit';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { ReviewFlag, Visit } from '@hlid/protocol/visit';
import type { LaneConfig } from '../config.ts';
import { givenBack } from '../quota/quota-book.ts';
import type { FactFinder, SeenPlate } from './gather-facts.ts';

/** A decision with what it was made from. */
export interface Decided {
  decision: Decision;
  /** The visit that leaves, and how it was found. */
  leaving: { visit: Visit; foundBy: 'equal' | 'confusable' | 'near' } | null;
  price: Price | null;
  /** What the visit draws on after it. */
  quota: Visit['quota'];
  permitId: string | null;
}

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
      quota: quotaAfter(null, quotaId, decision),
      permitId: facts.permit?.permit.id ?? null,
    };
  }
  const { facts, leaving, quotaId } = finder.exit(seen, at);
  const decision = decideExit(facts);
  const quota = quotaAfter(leaving?.visit.quota ?? null, quotaId, decision);
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

/** A visit that once had units of a quota says so, and of which, even when it has given them back. */
function quotaAfter(
  before: Visit['quota'],
  quotaId: string | null,
  { quotaUnits = 0 }: Decision,
): Visit['quota'] {
  if (quotaUnits > 0 && quotaId !== null) return { id: quotaId, units: quotaUnits };
  return givenBack(before);
}
