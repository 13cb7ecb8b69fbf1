import type { PlateRead } from '@hlid/protocol/plate-read';
import type { GateOutcome } from '@hlid/protocol/site-event';
import { millis, type UtcTime } from '@hlid/protocol/utc-time';
import { openingFor, openingOf } from '../gate/opening.ts';
import type { LaneOutcome, LaneStepParts, LaneSteps } from '../lane-steps.ts';
import type { GonePassages } from '../loop/gone-passages.ts';
import { newId } from '../new-id.ts';
import { markOpened, newPassage, type Passage } from '../passage/passage-store.ts';

/** A vehicle that is there, with the best read of it, which was not good enough. */
export interface UnreadVehicle {
  read: PlateRead;
  readId: string;
  /** The camera whose read seems late, and whose clock may be wrong instead; absent: it came in time. */
  lateFrom?: string;
}

/** What gets a car out where the lane's own way comes to nothing; each within the running transaction. */
export interface LetOut {
  /** Whether a car that came at this time is one that has been decided on. */
  isKnown(since: UtcTime): Passage | null;
  /** Decides for a vehicle that has stood there since then; null: it has been decided on meanwhile. */
  unread(since: UtcTime, vehicle: UnreadVehicle | null, at: UtcTime): LaneOutcome | null;
  /**
   * Wants the gate open once more for a passage for which it did not.
   *
   * @param stillThere the car certainly stands there: else nothing is repeated blindly
   */
  again(passageId: string, at: UtcTime, stillThere: boolean): LaneOutcome | null;
  /** The gate was opened before this could be decided: whatever it owes, the car has gone. */
  opened(passageId: string, at: UtcTime, outcome: GateOutcome): Passage | null;
}

/** A car that was read so long before it came to stand at the gate is that car. */
const READ_BEFORE_MS = 30_000;

export function createLetOut(
  parts: Pick<LaneStepParts, 'lane' | 'passages' | 'facts'> & { steps: LaneSteps; gone: GonePassages },
): LetOut {
  const { lane, passages, facts, gone } = parts;
  const { decide, decideAgain, finish } = parts.steps;

  function isKnown(since: UtcTime): Passage | null {
    const [latest] = passages.recent(lane.id);
    if (!latest || gone.has(latest.id, since)) return null;
    return millis(since) - millis(latest.lastSeenAt) <= READ_BEFORE_MS ? latest : null;
  }

  return {
    isKnown,

    unread(since, vehicle, at) {
      const [latest] = passages.recent(lane.id);
      if (latest && latest.lastSeenAt >= since) return null;
      // Its visit has ended as that of a car that left long ago; it may stand here all the same.
      const left = passages.recent(lane.id).find(({ readId }) => readId === vehicle?.readId);
      if (left) return finish({ ...left, lastSeenAt: at }, at);
      const read = vehicle?.read ?? noRead();
      const candidates = read.candidates.map(({ plate }) => plate);
      const seen = { plate: read.plate, score: read.score, candidates };
      const { leaving } = facts.exit(seen, at);
      const isKnownPlate =
        leaving === 'just-ended' || (typeof leaving === 'object' && leaving?.foundBy === 'equal');
      // A plate that is nobody's was perhaps no plate at all: a better read of this car must not count as another's.
      const plate = isKnownPlate ? read.plate : null;
      const passage = newPassage({ ...read, plate }, lane.id, at);
      return finish(decide({ ...passage, readId: vehicle?.readId ?? '' }, [], at, 'unread'), at);
    },

    again(passageId, at, stillThere) {
      const passage = passages.get(passageId);
      const how = passage && openingFor(passage, at);
      if (!passage || !how || gone.has(passageId, at)) return null;
      const lost = passage.gate === 'unknown' || passage.gate === 'wanted';
      if (lost && how === 'once' && !stillThere) {
        return { passage, opening: openingOf(passage, 'if-closed'), repeated: false };
      }
      return finish(passage, at);
    },

    opened(passageId, at, outcome) {
      const passage = passages.get(passageId);
      if (!passage) return null;
      const gonePassage = passage.decision.open ? passage : decideAgain(passage, [], at, true);
      const saved = markOpened(gonePassage, at, outcome);
      passages.save(saved);
      return saved;
    },
  };
}

/** Of a vehicle that only the loop has noticed. */
function noRead(): PlateRead {
  return {
    plate: null,
    plateRaw: '',
    score: 0,
    country: null,
    direction: 'unknown',
    capturedAt: null,
    eventKey: `unread-${newId()}`,
    relatedKeys: [],
    candidates: [],
    late: false,
    parked: false,
  };
}
