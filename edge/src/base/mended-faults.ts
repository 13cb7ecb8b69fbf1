import { DAY_MS } from '@hlid/protocol/base/durations';

const MAX_FAULTS = 10;
const SHOWN_FOR_MS = DAY_MS;

/** The faults of a device's messages that are understood all the same: remembered for its installer. */
export class MendedFaults {
  readonly #lastAt = new Map<string, Date>();

  /** @returns whether it is the first time within a day */
  note(fault: string, at: Date): boolean {
    const before = this.#lastAt.get(fault);
    if (before === undefined && this.#lastAt.size >= MAX_FAULTS) return false;
    this.#lastAt.set(fault, at);
    return before === undefined || !isRecent(before, at);
  }

  /** The faults of the day before. */
  recent(now: Date): string[] {
    return [...this.#lastAt].filter(([, at]) => isRecent(at, now)).map(([fault]) => fault);
  }
}

function isRecent(at: Date, now: Date): boolean {
  return Math.abs(now.getTime() - at.getTime()) < SHOWN_FOR_MS;
}
