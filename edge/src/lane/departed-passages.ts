import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';

/** A camera may send once more what it saw before the car went on. */
const STILL_SENT_MS = 5000;
/** The number of passages kept: more than a read is compared with. */
const MAX_DEPARTED = 40;

/** Passages of a lane whose car has gone, by the loops: the same plate again is another visit to the lane. */
export class DepartedPassages {
  readonly #departed = new Map<string, UtcTime>();

  add(passageId: string, at: UtcTime): void {
    this.#departed.set(passageId, at);
    const [oldest] = this.#departed.keys();
    if (this.#departed.size > MAX_DEPARTED && oldest !== undefined) this.#departed.delete(oldest);
  }

  /** Its car is there after all. */
  remove(passageId: string): void {
    this.#departed.delete(passageId);
  }

  /** Whether a read at this time can hardly be of that car any more. */
  isOver(passageId: string, at: UtcTime): boolean {
    const since = this.#departed.get(passageId);
    return since !== undefined && millis(at) - millis(since) > STILL_SENT_MS;
  }

  /** Whether its car has gone, whatever a camera may still send of it. */
  has(passageId: string): boolean {
    return this.#departed.has(passageId);
  }

  /** Shifts the times by a change of the clock. */
  shift(byMs: number): void {
    for (const [id, at] of this.#departed) this.#departed.set(id, utcTime(millis(at) + byMs));
  }
}
