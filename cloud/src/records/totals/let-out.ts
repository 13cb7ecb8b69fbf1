import type { Decision, DecisionReason } from '@hlid/protocol/records/decision';
import type { Direction } from '@hlid/protocol/records/lane';

/** A decision as it is stored. */
interface Decided {
  direction: Direction;
  open: boolean;
  reason: DecisionReason;
  decision: Decision;
}

/**
 * Whether a decision lets a car out, and whether it does so in doubt: no visit was found, the bill waits for a person, or
 * the plate was not certain. Null: it does not let a car out, or the car has been counted as its visit ended a moment ago.
 */
export function letsOut({ direction, open, reason, decision }: Decided): 'surely' | 'in-doubt' | null {
  if (direction !== 'exit' || !open || reason === 'visit-ended') return null;
  const { visit, flags } = decision;
  return visit.kind === 'end' && visit.settled && flags.length === 0 ? 'surely' : 'in-doubt';
}
