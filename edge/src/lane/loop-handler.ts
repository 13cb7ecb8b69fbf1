import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { LoopOutcome } from '../loop/loop-state.ts';
import { newPassage } from '../passage/passage-store.ts';
import type { ExitFallback } from './exit-fallback.ts';
import { NO_SIGNS } from './exit-timeout.ts';
import type { HeldBackRead } from './held-back-read.ts';
import type { LaneDecisions } from './lane-decisions.ts';
import type { LaneOutcome } from './lane-outcome.ts';
import type { LanePassages } from './lane-passages.ts';
import type { LaneActions, LaneParts } from './lane-site.ts';

/** The time in which a vehicle drives from where it is read to the loop; longer ago it was another. */
const HELD_BACK_FOR_MS = 15_000;

/** What the loops of a lane do to the cars there. */
export class LoopHandler {
  readonly #parts: LaneParts;
  readonly #decisions: LaneDecisions;
  readonly #passages: LanePassages;
  readonly #fallback: ExitFallback;
  readonly #actions: LaneActions;
  #heldBack: HeldBackRead | null = null;
  /** The passage whose car came onto the arrival loop last. */
  #arrivedLast: string | null = null;

  constructor(
    parts: LaneParts,
    decisions: LaneDecisions,
    passages: LanePassages,
    fallback: ExitFallback,
    actions: LaneActions,
  ) {
    this.#parts = parts;
    this.#decisions = decisions;
    this.#passages = passages;
    this.#fallback = fallback;
    this.#actions = actions;
  }

  handle(outcome: LoopOutcome): void {
    try {
      this.#follow(outcome);
    } catch (err) {
      this.#actions.logFailure(err);
      // The car cannot be looked up, but it is known to be there.
      if (outcome.kind === 'arrived') this.#fallback.seen(NO_SIGNS);
    }
  }

  /** Keeps a read until its vehicle is on the loop. */
  holdBack(held: HeldBackRead): void {
    this.#heldBack = held;
  }

  /** A car was seen on the lane. */
  carSeen(passageId: string): void {
    if (this.#parts.loops.arrival()) this.#arrivedLast = passageId;
  }

  /** Shifts the times by a change of the clock. */
  shift(byMs: number): void {
    const held = this.#heldBack;
    if (held) this.#heldBack = { ...held, at: utcTime(millis(held.at) + byMs) };
  }

  #follow(outcome: LoopOutcome): void {
    switch (outcome.kind) {
      case 'arrived':
        this.#onArrived();
        break;
      case 'left':
        this.#fallback.ended();
        if (!this.#parts.gate.isOpen()) this.#onLeft();
        break;
      case 'passed':
        this.#onPassed(outcome.passageId);
        break;
      case 'turned-back':
        this.#actions.run(() => this.#turnedBack(outcome.passageId, this.#now()));
        break;
      case 'alert':
        this.#actions.run(() => {
          const at = this.#now();
          const waiting = outcome.alert === 'tailgating' ? this.#passages.carAtGate(at) : null;
          this.#parts.recorder.alert(outcome.alert, waiting, at);
          return null;
        });
        break;
      default:
        outcome satisfies never;
    }
  }

  #onArrived(): void {
    const { departed } = this.#parts;
    const held = this.#heldBack;
    this.#heldBack = null;
    if (held) this.#actions.run(() => this.#decideHeldBack(held, this.#now()));
    const known = this.#fallback.knownPassage(this.#now());
    // The car that was read on its way here; one that was opened to, and has been here, is another by now.
    if (known && (!known.decision.open || this.#arrivedLast !== known.id)) {
      this.#arrivedLast = known.id;
      departed.remove(known.id);
      if (!known.decision.open) this.#actions.instruct(known);
    } else this.#fallback.seen(NO_SIGNS);
  }

  /** The vehicle of a read that was held back is there now. */
  #decideHeldBack({ read, readId, at: readAt }: HeldBackRead, at: UtcTime): LaneOutcome | null {
    if (millis(at) - millis(readAt) > HELD_BACK_FOR_MS) return null;
    const passage = { ...newPassage(read, this.#parts.lane.id, at), readId };
    const guesses = read.candidates.map(({ plate }) => plate);
    return this.#decisions.finish(this.#decisions.decide(passage, guesses, at), at);
  }

  /** The loop before the closed gate is free: who waited on it has gone, unless it is the loop that errs. */
  #onLeft(): void {
    const { lane, site, departed, display } = this.#parts;
    display.cleared();
    const [latest] = site.passages.recent(lane.id);
    const waitedHere = latest && !latest.decision.open && this.#arrivedLast === latest.id;
    if (waitedHere) departed.add(latest.id, this.#now());
  }

  /** A car has driven through; null: one for which a person had opened. */
  #onPassed(passageId: string | null): void {
    const { lane, site, departed } = this.#parts;
    const [latest] = site.passages.recent(lane.id);
    const id = passageId ?? (latest?.decision.open ? latest.id : null);
    if (id !== null) departed.add(id, this.#now());
    this.#fallback.wentOn(null);
  }

  /** The gate was opened for the car, and it went back: a person decides what its flagged visit owes. */
  #turnedBack(passageId: string | null, at: UtcTime): null {
    const { lane, site, departed } = this.#parts;
    const passage = passageId === null ? undefined : site.passages.get(passageId);
    if (!passage) return null;
    departed.add(passage.id, at);
    const context = { at, by: `lane:${lane.id}`, reason: 'turned-back' };
    site.visitService.setFlag(passage.visitId, 'turned-back', true, context);
    return null;
  }

  #now(): UtcTime {
    return utcTime(this.#parts.site.clock.now());
  }
}
