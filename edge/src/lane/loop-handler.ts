import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { LoopOutcome } from '../loop/loop-state.ts';
import { newPassage } from '../passage/passage-store.ts';
import type { CarsAtGate } from './cars-at-gate.ts';
import { NO_SIGNS } from './exit-timeout.ts';
import type { LaneDecisions } from './lane-decisions.ts';
import type { LaneOutcome } from './lane-outcome.ts';
import type { LaneOutput } from './lane-output.ts';
import type { HeldBackRead } from './lane-passages.ts';
import type { LaneContext } from './lane-site.ts';

/** The time in which a vehicle drives from where it is read to the loop; longer ago it was another. */
const HELD_BACK_FOR_MS = 15_000;

/** The effects of a lane's loops on the cars there. */
export class LoopHandler {
  readonly #context: LaneContext;
  readonly #cars: CarsAtGate;
  readonly #decisions: LaneDecisions;
  readonly #output: LaneOutput;
  #heldBack: HeldBackRead | null = null;

  constructor(context: LaneContext, cars: CarsAtGate, decisions: LaneDecisions, output: LaneOutput) {
    this.#context = context;
    this.#cars = cars;
    this.#decisions = decisions;
    this.#output = output;
    context.loops.listen((outcome) => this.#handle(outcome));
  }

  /** Keeps a read until its vehicle is on the loop. */
  holdBack(held: HeldBackRead): void {
    this.#heldBack = held;
  }

  /** Shifts the times by a change of the clock. */
  shift(byMs: number): void {
    const held = this.#heldBack;
    if (held) this.#heldBack = { ...held, at: utcTime(millis(held.at) + byMs) };
  }

  #handle(outcome: LoopOutcome): void {
    try {
      this.#follow(outcome);
    } catch (err) {
      this.#output.logFailure(err);
      // The car cannot be looked up, but it is known to be there.
      if (outcome.kind === 'arrived') this.#output.timeout.seen(NO_SIGNS);
    }
  }

  #follow(outcome: LoopOutcome): void {
    switch (outcome.kind) {
      case 'arrived':
        this.#onArrived();
        break;
      case 'left':
        this.#output.timeout.ended();
        if (!this.#context.gate.isOpen()) this.#onLeft();
        break;
      case 'passed':
        this.#onPassed(outcome.passageId);
        break;
      case 'turned-back':
        this.#output.run(() => this.#turnedBack(outcome.passageId, this.#now()));
        break;
      case 'alert':
        this.#output.run(() => {
          const at = this.#now();
          const waiting = outcome.alert === 'tailgating' ? this.#cars.waiting(at) : null;
          this.#decisions.recorder.alert(outcome.alert, waiting, at);
          return null;
        });
        break;
      default:
        outcome satisfies never;
    }
  }

  #onArrived(): void {
    const held = this.#heldBack;
    this.#heldBack = null;
    if (held) this.#output.run(() => this.#decideHeldBack(held, this.#now()));
    const known = this.#cars.arrived(this.#now());
    if (!known) this.#output.timeout.seen(NO_SIGNS);
    else if (!known.decision.open) this.#output.instruct(known);
  }

  /** The vehicle of a read that was held back is there now. */
  #decideHeldBack({ read, readId, at: readAt }: HeldBackRead, at: UtcTime): LaneOutcome | null {
    if (millis(at) - millis(readAt) > HELD_BACK_FOR_MS) return null;
    const passage = { ...newPassage(read, this.#context.lane.id, at), readId };
    const guesses = read.candidates.map(({ plate }) => plate);
    return this.#decisions.finish(this.#decisions.decide(passage, guesses, at), at);
  }

  #onLeft(): void {
    this.#output.display.cleared();
    this.#cars.left(this.#now());
  }

  /** A car has driven through; null: one for which a person had opened. */
  #onPassed(passageId: string | null): void {
    const latest = this.#cars.newest();
    const id = passageId ?? (latest?.decision.open ? latest.id : null);
    if (id !== null) this.#cars.depart(id, this.#now());
    this.#output.wentOn(null);
  }

  /** The gate was opened for the car, and it went back: a person decides what its flagged visit owes. */
  #turnedBack(passageId: string | null, at: UtcTime): null {
    const { lane, passages, visitService } = this.#context;
    const passage = passageId === null ? undefined : passages.get(passageId);
    if (!passage) return null;
    this.#cars.depart(passage.id, at);
    const context = { at, by: `lane:${lane.id}`, reason: 'turned-back' };
    visitService.setFlag(passage.visitId, 'turned-back', true, context);
    return null;
  }

  #now(): UtcTime {
    return utcTime(this.#context.clock.now());
  }
}
