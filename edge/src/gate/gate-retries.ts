import type { GateOutcome } from '@hlid/protocol/site-event';

/** After a failure, and then each time longer, up to a limit. */
const FIRST_PAUSE_MS = 2100;
const MAX_PAUSE_MS = 4000;
/** A gate that opened and has closed again before a car that still stands on the loop. */
const STILL_STANDS_MS = 15_100;
/** A car counts as still there for this long where no loop reports it: it cannot get away from an exit. */
const WAITS_MS = { exit: 120_000, entry: 12_000 };

interface Retry {
  passageId: string | null;
  /** The gate opened, and the car still stands on the loop. */
  opened: boolean;
  /** Counted, not read from a clock that somebody may set. */
  waitedMs: number;
  pauseMs: number;
  timer: NodeJS.Timeout;
}

/** Opens a gate again that did not open, while the car is still there: nobody is trapped by a relay that was away. */
export class GateRetries {
  readonly #direction: 'entry' | 'exit';
  readonly #arrival: () => boolean | null;
  readonly #again: (passageId: string | null, stillThere: boolean) => void;
  #retry: Retry | null = null;

  /**
   * @param options.arrival whether a vehicle stands there; null: nobody knows
   * @param options.again opens once more, for the passage or, null, for a car without a decision
   */
  constructor(options: {
    direction: 'entry' | 'exit';
    arrival: () => boolean | null;
    again: (passageId: string | null, stillThere: boolean) => void;
  }) {
    this.#direction = options.direction;
    this.#arrival = options.arrival;
    this.#again = options.again;
  }

  /** The outcome of an opening. */
  after(passageId: string | null, outcome: GateOutcome): void {
    const same = this.#retry?.passageId === passageId;
    // At an entrance the next car may stand on the loop by then, without a decision of its own.
    const standsOn = outcome === 'done' && this.#direction === 'exit' && this.#arrival() !== null;
    if (outcome === 'done' && !standsOn) {
      this.stop();
      return;
    }
    if (same && outcome !== 'done') return;
    // Another car has come since: its own opening is what counts.
    this.stop();
    const pauseMs = outcome === 'done' ? STILL_STANDS_MS : FIRST_PAUSE_MS;
    const timer = setTimeout(() => this.#check(), pauseMs).unref();
    this.#retry = { passageId, opened: outcome === 'done', waitedMs: 0, pauseMs, timer };
  }

  /** Another car is there, or the one for which the gate opened has gone through (null). */
  wentOn(passageId: string | null): void {
    const retry = this.#retry;
    // A car before a gate that does not move has not passed, even if another is read behind it.
    if (retry?.opened && (passageId === null || retry.passageId !== passageId)) this.stop();
  }

  stop(): void {
    clearTimeout(this.#retry?.timer);
    this.#retry = null;
  }

  #check(): void {
    const retry = this.#retry;
    if (!retry) return;
    const there = this.#arrival();
    retry.waitedMs += retry.pauseMs;
    if (there === false || (there === null && retry.waitedMs > WAITS_MS[this.#direction])) {
      this.stop();
      return;
    }
    // Whatever comes of it, even no answer, there is a next check.
    retry.pauseMs = Math.max(retry.pauseMs, Math.min(retry.pauseMs * 1.3, MAX_PAUSE_MS));
    retry.timer = setTimeout(() => this.#check(), retry.pauseMs).unref();
    this.#again(retry.passageId, there === true);
  }
}
