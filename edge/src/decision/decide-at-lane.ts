import { type Decision, decideEntry, decideExit } from '@hlid/protocol/decision';
import type { Price } from '@hlid/protocol/price-visit';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Visit } from '@hlid/protocol/visit';
import type { LaneConfig } from '../config.ts';
import type { FactFinder, SeenPlate } from './gather-facts.ts';

/** A decision with what it was made from. */
export interface Decided {
  decision: Decision;
  /** The visit that leaves, and how it was found. */
  leaving: { visit: Visit; foundBy: 'equal' | 'confusable' | 'near' } | null;
  price: Price | null;
  permitId: string | null;
}

export function decideAtLane(lane: LaneConfig, seen: SeenPlate, facts: FactFinder, at: UtcTime): Decided {
  if (lane.direction === 'entry') {
    const entry = facts.entry(seen, lane.id, at);
    return {
      decision: decideEntry(entry),
      leaving: null,
      price: null,
      permitId: entry.permit?.permit.id ?? null,
    };
  }
  const { exit, leaving, price } = facts.exit(seen, at);
  return { decision: decideExit(exit), leaving, price, permitId: exit.permit?.permit.id ?? null };
}
