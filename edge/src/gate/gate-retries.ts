import type { GateOutcome } from '@hlid/protocol/site-link/site-event';

/** The pause after a failure; each further one is longer, up to a limit. */
const FIRST_PAUSE_MS = 2100;
/** The gate certainly did not move: the next try can come soon, at first. */
const FAILED = { grows: 1.3, maxMs: 4000, soonForMs: 120_000 };
/** It may have moved: the car may have gone meanwhile. */
const LOST = { grows: 1.5, maxMs: 30_000 };
/** A gate that opened and has closed again before a car that still stands on the loop. */
const STILL_STANDS_MS = 15_100;
/** A vehicle drives from where it is read to the loop within this time: a free loop proves nothing before. */
const REACHES_LOOP_MS = 30_000;
/** The time for an entrance, from which a car can turn away. */
const ENTRY_WAITS_MS = 12_000;

interface Retry {
  passageId: string | null;
  /**
   * `failed`: the gate certainly did not open. `lost`: it is unknown. `standing`: it did, and the car is on
   * the loop.
   */
  doubt: 'failed' | 'lost' | 'standing';
  /** The loop has reported the car. */
  onLoop: boolean;
  /** The time is counted, not read from a clock that may be set. */
  waitedMs: number;
  pauseMs: number;
  timer: NodeJS.Timeout;
}

interface RetryOptions {
  direction: 'entry' | 'exit';
  /** Whether a vehicle stands there; null: unknown. */
  arrival: () => boolean | null;
  /** Whether the car of a passage is known to have gone. */
  hasGone: (passageId: string) => boolean;
  /** The time for which a car counts as there at an exit without any sign that it has gone. */
  waitsMs: () => number;
}

interface RetryListener {
  /** Opens once more, for the passage or, null, for a car without a decision. */
  again(passageId: string | null): void;
  /** The car may stand at the exit still, and this was the last try. */
  gaveUp(passageId: string | null): void;
}

/**
 * Opens a gate again that did not open, or may not have opened, until the car is known to have gone. A relay
 * that was away, or a lost answer, must not trap a car.
 */
export class GateRetries {
  readonly #options: RetryOptions;
  #listener: RetryListener | null = null;
  #retry: Retry | null = null;

  constructor(options: RetryOptions) {
    this.#options = options;
  }

  listen(listener: RetryListener): void {
    this.#listener = listener;
  }

  /** A car may stand before a gate that has not opened for it. */
  active(): boolean {
    return this.#retry !== null && this.#retry.doubt !== 'standing';
  }

  /** The outcome of an opening. */
  after(passageId: string | null, outcome: GateOutcome): void {
    const { direction, arrival } = this.#options;
    // At an entrance the next car may stand on the loop by then, without its own decision.
    const mayStandOn = outcome === 'done' && direction === 'exit' && arrival() !== null;
    if (outcome === 'done' && !mayStandOn) {
      this.stop();
      return;
    }
    const doubt = outcome === 'done' ? 'standing' : outcome === 'unknown' ? 'lost' : 'failed';
    if (this.#retry?.passageId === passageId && doubt !== 'standing') {
      // Once it may have opened, a later failure does not make that untrue.
      if (this.#retry.doubt === 'failed') this.#retry.doubt = doubt;
      return;
    }
    this.#begin(passageId, doubt);
  }

  /**
   * Watches the loop after a restart: the gate had opened, and it is not known yet whether the car still
   * stands there.
   */
  watchLoop(passageId: string): void {
    this.#begin(passageId, 'standing');
  }

  /** The car for which the gate opened without a decision is that of a passage. */
  adopt(passageId: string): void {
    if (this.#retry?.passageId === null) this.#retry.passageId = passageId;
  }

  /** Another car is there, or the one for which the gate opened has gone through (null). */
  wentOn(passageId: string | null): void {
    const retry = this.#retry;
    // A car before a gate that does not move has not passed, even if another is read behind it.
    if (!retry || retry.doubt === 'failed') return;
    if (passageId === null || retry.passageId !== passageId) this.stop();
  }

  stop(): void {
    clearTimeout(this.#retry?.timer);
    this.#retry = null;
  }

  #begin(passageId: string | null, doubt: Retry['doubt']): void {
    // Another car has come since: its own opening is what counts.
    this.stop();
    const pauseMs = doubt === 'standing' ? STILL_STANDS_MS : FIRST_PAUSE_MS;
    const timer = setTimeout(() => this.#check(), pauseMs).unref();
    const onLoop = this.#options.arrival() === true;
    this.#retry = { passageId, doubt, onLoop, waitedMs: 0, pauseMs, timer };
  }

  #check(): void {
    const retry = this.#retry;
    if (!retry) return;
    const { passageId } = retry;
    const there = this.#options.arrival();
    retry.waitedMs += retry.pauseMs;
    retry.onLoop ||= there === true;
    if (this.#isOver(retry, there)) {
      this.stop();
      return;
    }
    if (there !== true && retry.waitedMs > this.#waitsMs()) {
      this.stop();
      if (this.#options.direction === 'exit') this.#listener?.gaveUp(passageId);
      return;
    }
    // The next check follows whatever the result is, even no answer.
    retry.pauseMs = nextPauseMs(retry);
    retry.timer = setTimeout(() => this.#check(), retry.pauseMs).unref();
    this.#listener?.again(passageId);
  }

  /** Whether the car has gone, as far as there is a sign of it. */
  #isOver({ passageId, doubt, onLoop, waitedMs }: Retry, there: boolean | null): boolean {
    if (there === true) return false;
    if (doubt === 'standing') return true;
    if (there === false && (onLoop || waitedMs > REACHES_LOOP_MS)) return true;
    return passageId !== null && this.#options.hasGone(passageId);
  }

  #waitsMs(): number {
    return this.#options.direction === 'exit' ? this.#options.waitsMs() : ENTRY_WAITS_MS;
  }
}

function nextPauseMs({ doubt, pauseMs, waitedMs }: Retry): number {
  if (doubt === 'standing') return pauseMs;
  const { grows, maxMs } = doubt === 'failed' && waitedMs <= FAILED.soonForMs ? FAILED : LOST;
  return Math.min(pauseMs * grows, maxMs);
}
