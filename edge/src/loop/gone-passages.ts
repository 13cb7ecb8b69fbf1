import { millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';

/** Passages of a lane whose car has gone, by the loops: the same plate again is another time. */
export interface GonePassages {
  add(passageId: string, at: UtcTime): void;
  /** Whether a read at this time can hardly be of that car any more. */
  has(passageId: string, at: UtcTime): boolean;
  /** Whether its car has gone, whatever a camera may still say of it. */
  hasLeft(passageId: string): boolean;
  /** The clock was set by so much. */
  shift(byMs: number): void;
  /** Its car is there after all. */
  remove(passageId: string): void;
}

/** A camera may say once more what it saw before the car went on. */
const STILL_TOLD_OF_MS = 5000;
/** As many as a read is compared with, and more. */
const MOST = 40;

export function createGonePassages(): GonePassages {
  const gone = new Map<string, UtcTime>();
  return {
    add(passageId, at) {
      gone.set(passageId, at);
      const [oldest] = gone.keys();
      if (gone.size > MOST && oldest !== undefined) gone.delete(oldest);
    },
    has(passageId, at) {
      const since = gone.get(passageId);
      return since !== undefined && millis(at) - millis(since) > STILL_TOLD_OF_MS;
    },
    hasLeft: (passageId) => gone.has(passageId),
    shift(byMs) {
      for (const [id, at] of gone) gone.set(id, utcTime(millis(at) + byMs));
    },
    remove: (passageId) => void gone.delete(passageId),
  };
}
