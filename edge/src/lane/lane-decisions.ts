import { newId } from '@hlid/node/new-id';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { asPassed, decideLateExit, decideNotMine, visitInDoubt } from '@hlid/protocol/records/decision';
import { decideLeaving, type SeenPlate } from '@hlid/protocol/rules/lane-facts';
import { hasNewDecision, seenPlate } from '@hlid/protocol/rules/passage-transitions';
import {
  type Decided,
  decidedChanges,
  endedAnother,
  undoDeparture,
  visitChange,
} from '@hlid/protocol/rules/visit-transitions';
import type { LaneAlert } from '@hlid/protocol/site-link/site-event';
import { decideAtLane, decideUnreadAtLane, LANE_CLOSED } from '../decision/decide-at-lane.ts';
import { letsAllThrough } from '../gate/gate-mode.ts';
import { PassageRecorder } from '../passage/passage-recorder.ts';
import { markWanted, type Passage } from '../passage/passage-store.ts';
import type { LaneOutcome } from './lane-outcome.ts';
import type { LaneContext } from './lane-site.ts';
import { type LaneNow, MAX_PULSES, openingFor, openingOf } from './opening.ts';

/**
 * Decides on the passages of a lane, applies the decision to the visit and stores it. Each method runs within the
 * caller's transaction.
 */
export class LaneDecisions {
  readonly recorder: PassageRecorder;
  readonly #context: LaneContext;

  constructor(context: LaneContext) {
    this.#context = context;
    this.recorder = new PassageRecorder(context);
  }

  /** Decides for the first time. `unread`: no read of it was good enough. */
  decide(
    passage: Passage,
    candidates: readonly string[],
    at: UtcTime,
    { unread = false, alerts = [] }: { unread?: boolean; alerts?: readonly LaneAlert[] } = {},
  ): Passage {
    const after = this.#decide(passage, candidates, at, { unread });
    this.recorder.decision(after, at, alerts);
    return after;
  }

  /**
   * Decides again; stored where the decision is another one. `passed`: the gate has been opened for the car already.
   */
  decideAgain(before: Passage, candidates: readonly string[], at: UtcTime, passed = false): Passage {
    const unread = !passed && before.plate === null && before.decision.reason === 'unread-vehicle';
    const after = this.#decide(before, candidates, at, { opened: passed, unread });
    if (hasNewDecision(after, before)) this.recorder.decision(after, at);
    return after;
  }

  /** A better reading of a car for which the gate was opened: it can only correct. */
  correct(before: Passage, after: Passage, candidates: readonly string[], at: UtcTime): Passage {
    if (after.plate === null || after.plate === before.plate) return after;
    const { lane, visits, visitService } = this.#context;
    if (lane.direction === 'exit') return this.#correctExit(before, after, candidates, at);
    const visit = after.visitId === null ? undefined : visits.get(after.visitId);
    if (visit?.plate === before.plate) {
      visitService.correctPlate(visit, after.plate, { at, by: `lane:${lane.id}`, reason: 'read-again' });
    }
    return after;
  }

  /** The visit that ended by a wrong first look is not over, and that of the better look is, if there is one. */
  #correctExit(before: Passage, after: Passage, candidates: readonly string[], at: UtcTime): Passage {
    const { lane, visits, visitService } = this.#context;
    if (after.visitId === null) return this.decideAgain(after, candidates, at, true);
    const visit = visits.get(after.visitId);
    if (visit === undefined || !endedAnother(before, after, visit)) return after;
    if (!this.#isKnownHere(after)) return after;
    const context = { at, by: `lane:${lane.id}`, reason: 'read-again' };
    visitService.record(visitChange(visit, undoDeparture(visit, before.decision), context));
    return this.decideAgain({ ...after, visitId: null }, [], at, true);
  }

  /** Whether the better plate is more than another misreading: it was read twice, or has a visit or a permit. */
  #isKnownHere({ plate, votes }: Passage): boolean {
    const { visits, lists } = this.#context;
    if (plate === null) return false;
    if (votes.some((vote) => vote.plate === plate && vote.reads > 1)) return true;
    return visits.openByPlate(plate) !== undefined || lists.permitsLike(plate).length > 0;
  }

  /** The car left at the time of the passage, and its read comes only now. Null: it was not known to be inside. */
  leftEarlier(passage: Passage, candidates: readonly string[], at: UtcTime): Passage | null {
    const { facts, passages } = this.#context;
    const leftAt = passage.lastSeenAt;
    const found = facts.lateExit(seenPlate(passage, candidates), leftAt);
    if (!found) return null;
    const decided = decideLeaving(found, leftAt, decideLateExit);
    const visitId = this.#applyToVisit(decided, passage, leftAt, true);
    const after = { ...passage, decision: decided.decision, visitId };
    this.recorder.decision(after, at);
    passages.save(after);
    return after;
  }

  /**
   * The driver of a car that was kept in doubt denies the visit: the gate opens, and a person checks the
   * visit. Null: it was not kept in doubt.
   *
   * @param typed what he types as his own plate
   */
  disown(passage: Passage, typed: string, at: UtcTime): Passage | null {
    const { visits, visitService } = this.#context;
    const visitId = visitInDoubt(passage.decision);
    const visit = visitId === null ? undefined : visits.get(visitId);
    if (!visit) return null;
    visitService.flag(visit, 'not-mine', true, { at, by: 'kiosk', reason: `not-mine: ${typed}` });
    const after = { ...passage, decision: decideNotMine(visit.id), visitId: null };
    this.recorder.decision(after, at);
    return after;
  }

  /** Whether the gate would open for such a plate now. Writes nothing, and needs no transaction. */
  wouldOpen(seen: SeenPlate, at: UtcTime): boolean {
    const { lane, facts, gate } = this.#context;
    return gate.mode() === 'automatic' && decideAtLane(lane, seen, facts, at).decision.open;
  }

  /** Saves the passage, its gate marked as wanted where it is to open. */
  finish(passage: Passage, at: UtcTime): LaneOutcome {
    const { gate, passages } = this.#context;
    const how = gate.mode() === 'automatic' ? openingFor(passage, at, this.laneNow()) : null;
    const saved = how === 'once' ? markWanted(passage, at) : passage;
    passages.save(saved);
    // The car is still there after the last pulse: a person must see why.
    const isLast = how === 'once' && passage.gate === 'done' && saved.pulses === MAX_PULSES;
    if (isLast) this.recorder.alert('needs-help', saved, at);
    return { passage: saved, opening: how && openingOf(passage, how), repeated: false };
  }

  laneNow(): LaneNow {
    const { lane, loops } = this.#context;
    return { direction: lane.direction, stillThere: loops.arrival() === true };
  }

  #decide(
    passage: Passage,
    candidates: readonly string[],
    at: UtcTime,
    { opened = false, unread = false },
  ): Passage {
    const { lane, facts, gate } = this.#context;
    const mode = gate.mode();
    const passed = opened || letsAllThrough(mode);
    const seen = seenPlate(passage, candidates);
    const found =
      mode === 'kept-closed' && !opened
        ? LANE_CLOSED
        : unread
          ? decideUnreadAtLane(seen, facts, at)
          : decideAtLane(lane, seen, facts, at, passed);
    const result = passed ? { ...found, decision: asPassed(found.decision) } : found;
    const visitId = this.#applyToVisit(result, passage, at, passed);
    return { ...passage, decision: result.decision, visitId };
  }

  /** Begins, ends or changes the visit as decided. `passed`: see `decidedChanges`. @returns the visit's id */
  #applyToVisit(decided: Decided, passage: Passage, at: UtcTime, passed: boolean): string | null {
    const { changes, visitId } = decidedChanges(decided, passage, at, { passed, id: newId() });
    for (const change of changes) this.#context.visitService.record(change);
    return visitId;
  }
}
