import type { PassageOutcome } from '../base/statuses.ts';
import type { BoardCar, BoardPassage, LaneBoard } from '../site-link/site-board.ts';

const LET_THROUGH: readonly PassageOutcome[] = ['opened', 'opening', 'let-through'];

/**
 * The outcome of a passage, for people.
 *
 * @param gate of the lane, for its newest passage: a fault of the gate may be newer than its answer
 */
export function passageOutcome(
  { open, flags, seenAt, gate: answer }: Pick<BoardPassage, 'open' | 'flags' | 'seenAt' | 'gate'>,
  gate: Pick<LaneBoard['gate'], 'lastError' | 'since'> | null = null,
): PassageOutcome {
  if (!open) return answer === 'done' ? 'opened-by-hand' : 'kept-closed';
  if (answer === 'refused' || answer === 'unreachable') return 'not-opened';
  const hasFailedSince = gate !== null && gate.lastError !== null && gate.since >= seenAt;
  if (answer === 'unknown' || hasFailedSince || flags.includes('gate-unconfirmed')) return 'unconfirmed';
  if (answer === 'wanted') return 'opening';
  return answer === 'untouched' ? 'let-through' : 'opened';
}

/** The car that stands at the lane now; null: none, or it has gone and only its gate still moves. */
export function carHere({ state, since, car }: Pick<LaneBoard, 'state' | 'since' | 'car'>): BoardCar | null {
  return state !== 'idle' && car !== null && since === car.cameAt ? car : null;
}

/** The car for which a person opens at a lane; null: whoever comes, since one that was let through has its opening. */
export function carToOpenFor(lane: Pick<LaneBoard, 'state' | 'since' | 'car' | 'gate'>): BoardCar | null {
  const car = carHere(lane);
  return car === null || LET_THROUGH.includes(passageOutcome(car, lane.gate)) ? null : car;
}
