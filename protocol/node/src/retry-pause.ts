import { type BackoffLimits, backoffMs } from '@hlid/protocol/base/backoff';

/** Pauses between tries that grow with each failure. Half of each pause is random. */
export class RetryPause {
  readonly #limits: BackoffLimits;
  readonly #random: () => number;
  #failures = 0;

  constructor(limits: BackoffLimits, random: () => number = Math.random) {
    this.#limits = limits;
    this.#random = random;
  }

  /** The pause after another failure. */
  nextMs(): number {
    this.#failures++;
    // The pauses differ, so that sites do not all come at the same moment to a broker that is back.
    return Math.round(backoffMs(this.#failures, this.#limits) * (0.5 + this.#random() / 2));
  }

  /** Called after a success: the next pause is the first one again. */
  reset(): void {
    this.#failures = 0;
  }
}
