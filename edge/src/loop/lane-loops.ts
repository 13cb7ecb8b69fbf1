import type { Clock } from '@hlid/node/clock';
import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { letsAllThrough } from '../gate/gate-mode.ts';
import type { LaneGate } from '../gate/lane-gate.ts';
import type { LoopSource } from './loop-source.ts';
import {
  afterLoopEvent,
  type LoopEvent,
  type LoopOutcome,
  NO_LOOPS,
  TURNED_BACK_AFTER_MS,
} from './loop-state.ts';

/** The loops of a lane, as far as it has them. */
export interface LoopSources {
  arrival: LoopSource;
  passed: LoopSource;
}

/** The loops of one lane, and what follows for the cars there. */
export class LaneLoops {
  readonly #clock: Clock;
  readonly #sources: LoopSources;
  readonly #gate: Pick<LaneGate, 'mode'>;
  #onOutcome: (outcome: LoopOutcome) => void = () => undefined;
  #state = NO_LOOPS;
  #turning: NodeJS.Timeout | undefined;

  /** @param gate any car may drive through while it is held open, or where there is none */
  constructor(clock: Clock, sources: LoopSources, gate: Pick<LaneGate, 'mode'>) {
    this.#clock = clock;
    this.#sources = sources;
    this.#gate = gate;
    for (const source of [sources.arrival, sources.passed]) source.watch(() => this.#update());
  }

  listen(onOutcome: (outcome: LoopOutcome) => void): void {
    this.#onOutcome = onOutcome;
  }

  stop(): void {
    clearTimeout(this.#turning);
  }

  /** Whether a vehicle stands before the gate; null: unknown. */
  arrival(): boolean | null {
    return this.#sources.arrival.occupied();
  }

  /** A car that was last seen before this is not the one that stands there now; null: unknown. */
  anotherSince(): UtcTime | null {
    const { anotherSinceMs } = this.#state;
    return anotherSinceMs === null ? null : utcTime(anotherSinceMs);
  }

  /** Shifts the times by a change of the clock. */
  shift(byMs: number): void {
    const { anotherSinceMs } = this.#state;
    if (anotherSinceMs !== null) this.#state = { ...this.#state, anotherSinceMs: anotherSinceMs + byMs };
  }

  /** Cars that drive through are counted: a second plate behind the first need not be tailgating. */
  countsPasses(): boolean {
    return this.#sources.passed.occupied() !== null;
  }

  /** The gate gets the command to open. */
  opening(passageId: string | null): void {
    // Its device may have gone away since its last event.
    this.#update();
    this.#apply({ kind: 'opening', passageId });
  }

  notOpened(passageId: string | null): void {
    this.#apply({ kind: 'not-opened', passageId });
  }

  #update(): void {
    const { arrival, passed } = this.#sources;
    this.#apply({
      kind: 'loops',
      arrival: arrival.occupied(),
      passed: passed.occupied(),
      heldOpen: letsAllThrough(this.#gate.mode()),
    });
    clearTimeout(this.#turning);
    if (this.#state.arrivalLeftAtMs !== null && this.#state.expected.length > 0) {
      this.#turning = setTimeout(() => this.#apply({ kind: 'time' }), TURNED_BACK_AFTER_MS + 1).unref();
    }
  }

  #apply(event: LoopEvent): void {
    const after = afterLoopEvent(this.#state, event, this.#clock.now().getTime());
    this.#state = after.state;
    for (const outcome of after.outcomes) this.#onOutcome(outcome);
  }
}
