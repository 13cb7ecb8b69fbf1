import { asPassed, decideLateExit, decideNotMine, visitInDoubt } from '@hlid/protocol/decision';
import { decideLeaving, type SeenPlate } from '@hlid/protocol/lane-facts';
import { saysAnew, seenPlate } from '@hlid/protocol/passage-transitions';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { LaneConfig } from './config.ts';
import { decideAtLane, decideUnreadAtLane, LANE_CLOSED } from './decision/decide-at-lane.ts';
import type { FactFinder } from './decision/gather-facts.ts';
import type { Opening } from './gate/gate-keeper.ts';
import type { GateMode } from './gate/gate-order.ts';
import { openingFor, openingOf } from './gate/opening.ts';
import type { PassageNotes } from './passage/passage-notes.ts';
import { markWanted, type Passage, type PassageStore } from './passage/passage-store.ts';
import { carryOut } from './visit/carry-out.ts';
import type { VisitBook } from './visit/visit-book.ts';
import type { VisitStore } from './visit/visit-store.ts';

/** What came of a read; the gate moves once that is on the disk. */
export interface LaneOutcome {
  passage: Passage | null;
  opening: Opening | null;
  repeated: boolean;
}

export const NOTHING: LaneOutcome = { passage: null, opening: null, repeated: false };

/** What a lane does with a passage, whoever has brought it about. Each within the running transaction. */
export interface LaneSteps {
  /** Decides for the first time, and writes it down. `unread`: no read of it was good enough. */
  decide(passage: Passage, candidates: readonly string[], at: UtcTime, unread?: 'unread'): Passage;
  /**
   * Decides again, written down where it says something new; `passed` when the gate has been opened for the car
   * already.
   */
  decideAgain(passage: Passage, candidates: readonly string[], at: UtcTime, passed?: boolean): Passage;
  /** A better reading of a car for which the gate was opened: it can only correct. */
  correct(before: Passage, after: Passage, candidates: readonly string[], at: UtcTime): Passage;
  /** The car left at the time of the passage, and that is heard only now. Null: it was not known to be inside. */
  leftEarlier(passage: Passage, candidates: readonly string[], at: UtcTime): Passage | null;
  /**
   * The driver of a car that was kept in doubt says that the visit is not his: the gate opens, and a person looks at
   * the visit. Null: it was not kept in doubt.
   *
   * @param typed what he types as his own plate
   */
  disown(passage: Passage, typed: string, at: UtcTime): Passage | null;
  /** Whether the gate would open for such a plate now. Writes nothing, and needs no transaction. */
  wouldOpen(seen: SeenPlate, at: UtcTime): boolean;
  /** Saves the passage, its gate marked as wanted where it is to open. */
  finish(passage: Passage, at: UtcTime): LaneOutcome;
}

export interface LaneStepParts {
  lane: LaneConfig;
  facts: FactFinder;
  passages: PassageStore;
  visits: VisitStore;
  book: VisitBook;
  notes: PassageNotes;
  gateMode: () => GateMode;
}

export function createLaneSteps(parts: LaneStepParts): LaneSteps {
  const { lane, facts, passages, visits, book, notes } = parts;

  /** Decides and does it to the visit. */
  function decided(
    passage: Passage,
    candidates: readonly string[],
    at: UtcTime,
    { opened = false, unread = false } = {},
  ): Passage {
    const mode = parts.gateMode();
    const passed = opened || mode === 'held-open';
    const seen = seenPlate(passage, candidates);
    const found =
      mode === 'kept-closed' && !opened
        ? LANE_CLOSED
        : unread
          ? decideUnreadAtLane(seen, facts, at)
          : decideAtLane(lane, seen, facts, at, passed);
    const result = passed ? { ...found, decision: asPassed(found.decision) } : found;
    const visitId = carryOut(result, passage, { visits, book }, at, passed);
    return { ...passage, decision: result.decision, visitId };
  }

  function decideAgain(before: Passage, candidates: readonly string[], at: UtcTime, passed = false): Passage {
    const unread = !passed && before.plate === null && before.decision.reason === 'unread-vehicle';
    const after = decided(before, candidates, at, { opened: passed, unread });
    if (saysAnew(after, before)) notes.decision(after, after.decision, at);
    return after;
  }

  return {
    decide(passage, candidates, at, unread) {
      const after = decided(passage, candidates, at, { unread: unread !== undefined });
      notes.decision(after, after.decision, at);
      return after;
    },

    decideAgain,

    correct(before, after, candidates, at) {
      if (after.plate === null || after.plate === before.plate) return after;
      if (lane.direction === 'exit')
        return after.visitId === null ? decideAgain(after, candidates, at, true) : after;
      const visit = after.visitId === null ? undefined : visits.get(after.visitId);
      if (visit?.plate === before.plate) {
        book.correctPlate(visit, after.plate, { at, by: `lane:${lane.id}`, why: 'read-again' });
      }
      return after;
    },

    leftEarlier(passage, candidates, at) {
      const leftAt = passage.lastSeenAt;
      const found = facts.lateExit(seenPlate(passage, candidates), leftAt);
      if (!found) return null;
      const decided = decideLeaving(found, leftAt, decideLateExit);
      const visitId = carryOut(decided, passage, { visits, book }, leftAt, true);
      const after = { ...passage, decision: decided.decision, visitId };
      notes.decision(after, after.decision, at);
      passages.save(after);
      return after;
    },

    disown(passage, typed, at) {
      const visitId = visitInDoubt(passage.decision);
      const visit = visitId === null ? undefined : visits.get(visitId);
      if (!visit) return null;
      book.flag(visit, 'not-mine', true, { at, by: 'kiosk', why: `not-mine: ${typed}` });
      const after = { ...passage, decision: decideNotMine(visit.id), visitId: null };
      notes.decision(after, after.decision, at);
      return after;
    },

    wouldOpen: (seen, at) =>
      parts.gateMode() === 'automatic' && decideAtLane(lane, seen, facts, at).decision.open,

    finish(passage, at) {
      const how = parts.gateMode() === 'automatic' ? openingFor(passage, at) : null;
      const saved = how === 'once' ? markWanted(passage, at) : passage;
      passages.save(saved);
      return { passage: saved, opening: how && openingOf(passage, how), repeated: false };
    },
  };
}
