import type { Clock } from '@hlid/node/clock';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Instance } from './cloud-instance.ts';

/** The part of a lease in which nothing is sent any more: for clocks that differ, and for storing what was answered. */
const MARGIN = 1 / 8;

/** A lease, in whole minutes, in which a request can be sent and answered that takes so long. */
export function leaseOutlasting(requestMs: number): number {
  return Math.ceil(requestMs / (1 - MARGIN) / MINUTE_MS) * MINUTE_MS;
}

/**
 * The time that one process has for a piece of work. It is stored with the row before anything is sent (`until`); every
 * request gets the signal, which aborts before that time. So when another process may take the row, no request of this one
 * is under way, however many requests it makes, and however long each may take.
 */
export class WorkLease {
  readonly until: UtcTime;
  readonly #clock: Clock;
  readonly #endsMs: number;
  readonly #instance: Instance | undefined;

  /**
   * Begins the lease now. @param of.instance the process that has it; absent: one that no other depends on
   */
  constructor(clock: Clock, { leaseMs, instance }: { leaseMs: number; instance?: Instance | undefined }) {
    this.#clock = clock;
    this.#instance = instance;
    const startMs = clock.now().getTime();
    this.until = utcTime(startMs + leaseMs);
    this.#endsMs = millis(this.until) - leaseMs * MARGIN;
  }

  /** The process that has it. */
  get heldBy(): string | null {
    return this.#instance?.id ?? null;
  }

  /**
   * The signal for requests; null: the time is over, or the process was given up, and nothing may be sent.
   */
  signal(): AbortSignal | null {
    if (this.#instance?.isAlive() === false) return null;
    const leftMs = this.#endsMs - this.#clock.now().getTime();
    return leftMs <= 0 ? null : AbortSignal.timeout(Math.ceil(leftMs));
  }
}
