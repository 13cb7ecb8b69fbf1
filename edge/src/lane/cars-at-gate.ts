import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { visitInDoubt } from '@hlid/protocol/records/decision';
import { waitsAtGate } from '@hlid/protocol/rules/car-at-gate';
import { hasNewDecision } from '@hlid/protocol/rules/passage-transitions';
import type { GateOutcome } from '@hlid/protocol/site-link/site-event';
import { markOpened, mayNotHaveLeft, type Passage } from '../passage/passage-store.ts';
import { noRead, type UnreadVehicle } from './exit-timeout.ts';
import type { LaneDecisions } from './lane-decisions.ts';
import type { LaneOutcome } from './lane-outcome.ts';
import type { LaneContext } from './lane-site.ts';

/** A camera may send once more what it saw before the car went on. */
const STILL_SENT_MS = 5000;
/** The number of kept passages of cars that have gone: more than a read is compared with. */
const MAX_DEPARTED = 40;
/** A car that was read at most this long before one came to stand at the gate is that car. */
const READ_BEFORE_MS = 30_000;

/**
 * The car that waits at a lane, as far as its reads, its loops and other lanes show; and what people change for it. What
 * returns an outcome runs within the caller's transaction.
 */
export class CarsAtGate {
  readonly #context: LaneContext;
  readonly #decisions: LaneDecisions;
  /** Passages of cars that have gone, by the loops: the same plate again is another visit to the lane. */
  readonly #departed = new Map<string, UtcTime>();
  /** The passage of the car that came onto the arrival loop last. */
  #arrivedLast: string | null = null;

  constructor(context: LaneContext, decisions: LaneDecisions) {
    this.#context = context;
    this.#decisions = decisions;
  }

  /** The newest car of the lane, wherever it is by now. */
  newest(): Passage | undefined {
    return this.#context.passages.recent(this.#context.lane.id)[0];
  }

  /** The car that waits at the closed gate; null: none does. */
  waiting(at: UtcTime): Passage | null {
    const { lane, lists, loops, passages } = this.#context;
    const latest = this.newest();
    if (!latest || this.hasDeparted(latest.id)) return null;
    const waits = waitsAtGate(
      { open: latest.decision.open, seenAt: latest.lastSeenAt },
      {
        direction: lane.direction,
        onLoop: loops.arrival(),
        settings: lists.site().settings,
        movedOn: () => passages.movedOn(latest),
      },
      at,
    );
    return waits ? latest : null;
  }

  /** The car that waits at the closed gate of an exit. */
  waitingAtExit(at: UtcTime): Passage | null {
    return this.#context.lane.direction === 'exit' ? this.waiting(at) : null;
  }

  /** The car that waits at this exit for a visit that may not be its own; null: there is none. */
  inDoubt(at: UtcTime): Passage | null {
    const known = this.#context.gate.mode() === 'kept-closed' ? null : this.waitingAtExit(at);
    return known && visitInDoubt(known.decision) !== null ? known : null;
  }

  /**
   * Whether another car than that one stands here by now, or it has gone. A car that was not seen for a while
   * may still stand there, so time alone proves nothing.
   */
  isStale(passageId: string): boolean {
    const latest = this.newest();
    return latest?.id !== passageId || this.hasDeparted(latest.id) || this.#context.passages.movedOn(latest);
  }

  /** Whether the newest car of this exit may stand before its gate: nothing has shown that it has gone. */
  mayStandHere(): boolean {
    const latest = this.newest();
    return latest !== undefined && mayNotHaveLeft(latest) && !this.isStale(latest.id);
  }

  /** The newest car of this exit, where it was let through so lately that it may stand here; null: it has gone. */
  lastOpened(at: UtcTime): Passage | null {
    const latest = this.newest();
    if (!latest?.decision.open || this.isStale(latest.id)) return null;
    return this.#isWithinExitWait(latest.lastSeenAt, at) ? latest : null;
  }

  /** A vehicle that came to this exit, was not read well enough, and has not been decided on; null: there is none. */
  undecided(at: UtcTime): UnreadVehicle | null {
    const { lane, passages } = this.#context;
    const unread = passages.lastUnread(lane.id);
    if (!unread) return null;
    const { id: readId, eventKey, plate, score, receivedAt } = unread;
    const latest = this.newest();
    const isOld = !this.#isWithinExitWait(receivedAt, at) || receivedAt > at;
    if (isOld || (latest && latest.lastSeenAt >= receivedAt)) return null;
    if (plate !== null && passages.seenElsewhere(plate, lane.id, receivedAt)) return null;
    return { read: { ...noRead(), plate, score, eventKey }, readId };
  }

  #isWithinExitWait(since: UtcTime, at: UtcTime): boolean {
    const { exitWaitMinutes } = this.#context.lists.site().settings;
    return millis(at) - millis(since) <= exitWaitMinutes * MINUTE_MS;
  }

  /** Whether the car of a passage has gone by the loops, whatever a camera may still send of it. */
  hasDeparted(passageId: string): boolean {
    return this.#departed.has(passageId);
  }

  /** Whether a read at this time can hardly be of that car any more. */
  isOver(passageId: string, at: UtcTime): boolean {
    const since = this.#departed.get(passageId);
    return since !== undefined && millis(at) - millis(since) > STILL_SENT_MS;
  }

  /** Whether the car of a passage is known to have gone; where that cannot be read, it is not. */
  hasGone(passageId: string): boolean {
    const { passages } = this.#context;
    if (this.hasDeparted(passageId)) return true;
    try {
      const passage = passages.get(passageId);
      return passage !== undefined && passages.movedOn(passage);
    } catch {
      return false;
    }
  }

  depart(passageId: string, at: UtcTime): void {
    this.#departed.set(passageId, at);
    const [oldest] = this.#departed.keys();
    if (this.#departed.size > MAX_DEPARTED && oldest !== undefined) this.#departed.delete(oldest);
  }

  /** A kept car is read again: it has not gone, whatever a loop reported. */
  isHere(passageId: string): void {
    this.#departed.delete(passageId);
  }

  /** A car was seen on the lane. */
  seen(passageId: string): void {
    if (this.#context.loops.arrival()) this.#arrivedLast = passageId;
  }

  /** A vehicle has come onto the arrival loop. @returns the passage that it belongs to; null: nothing is decided on it */
  arrived(at: UtcTime): Passage | null {
    const known = this.newest();
    if (!known || this.isOver(known.id, at)) return null;
    if (millis(at) - millis(known.lastSeenAt) > READ_BEFORE_MS) return null;
    // One that was opened to, and has been here, is another by now.
    if (known.decision.open && this.#arrivedLast === known.id) return null;
    this.#arrivedLast = known.id;
    this.isHere(known.id);
    return known;
  }

  /** The loop before the closed gate is free: who waited on it has gone, unless it is the loop that errs. */
  left(at: UtcTime): void {
    const latest = this.newest();
    if (latest && !latest.decision.open && this.#arrivedLast === latest.id) this.depart(latest.id, at);
  }

  /** Shifts the times by a change of the clock. */
  shift(byMs: number): void {
    for (const [id, at] of this.#departed) this.#departed.set(id, utcTime(millis(at) + byMs));
  }

  /** The driver of the car that waits here in doubt denies the visit; null: none waits for it. */
  disown(visitId: string, typed: string, at: UtcTime): LaneOutcome | null {
    const known = this.inDoubt(at);
    const after = known?.visitId === visitId ? this.#decisions.disown(known, typed, at) : null;
    return after && this.#decisions.finish(after, at);
  }

  /**
   * Decides again on the car that waits at this exit, now that its visit, a permit or anything else may have changed.
   * Null: the decision is the same.
   */
  reconsider(at: UtcTime): LaneOutcome | null {
    const known = this.waitingAtExit(at);
    // A lane that a person keeps closed decides when it is opened again.
    if (!known || this.#context.gate.mode() === 'kept-closed') return null;
    const after = this.#decisions.decideAgain(known, [], at);
    return hasNewDecision(after, known) ? this.#decisions.finish(after, at) : null;
  }

  /** A person has opened: the car that waits here goes, whatever it owes. */
  onManualOpen(at: UtcTime, outcome: GateOutcome, passageId: string | null): Passage | null {
    const known = this.waiting(at) ?? this.#meant(passageId);
    if (!known) this.#confirmOpened(outcome);
    const opened = known && markOpened(this.#decisions.decideAgain(known, [], at, true), at, outcome);
    if (opened) this.#context.passages.save(opened);
    return opened;
  }

  /** The car that a person means, who sees it stand there longer than the lane expects. */
  #meant(passageId: string | null): Passage | null {
    if (passageId === null || this.isStale(passageId)) return null;
    const latest = this.newest();
    return latest && !latest.decision.open ? latest : null;
  }

  /**
   * An operator has opened for a car that the lane had let through without knowing whether the gate opened.
   */
  #confirmOpened(outcome: GateOutcome): void {
    const latest = this.newest();
    if (!latest?.decision.open || latest.gate === 'done' || outcome !== 'done') return;
    this.#context.passages.saveGate(latest, 'done');
  }

  /** The lane was kept closed until now: the car that came meanwhile gets its decision. */
  reopen(closedSince: UtcTime, at: UtcTime): LaneOutcome | null {
    const latest = this.newest();
    const cameMeanwhile =
      latest?.decision.reason === 'closed-by-operator' && latest.lastSeenAt >= closedSince;
    // The car that waited there before may have paid meanwhile.
    const known = cameMeanwhile && !this.hasDeparted(latest.id) ? latest : this.waitingAtExit(at);
    return known && this.#decisions.finish(this.#decisions.decideAgain(known, [], at), at);
  }
}
