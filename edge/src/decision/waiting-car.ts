import { MINUTE_MS, millis, type UtcTime } from '@hlid/protocol/utc-time';
import type { LaneConfig } from '../config.ts';
import type { GonePassages } from '../loop/gone-passages.ts';
import type { Passage, PassageStore } from '../passage/passage-store.ts';
import type { SiteLists } from '../site-lists/site-lists.ts';

/** The car that waits at a lane's closed gate. */
export interface WaitingCar {
  /** Its passage; null: nobody waits. */
  find(at: UtcTime): Passage | null;
  /** How long a car that was kept just now waits, in ms, as long as nothing says that it left. */
  maxMs(): number;
}

/** A car reaches the loop within this time after it was read; at an entrance it does not wait longer either. */
const SHORT_WAIT_MS = 30_000;

/**
 * A car that an exit has kept cannot leave without a trace: it waits until a loop, another car's read on the lane, a
 * read of the same car on another lane, or a person who opens the gate says that it is gone. Many cameras never read
 * a standing car again, so time alone says so only after long.
 */
export function createWaitingCar(parts: {
  lane: Pick<LaneConfig, 'id' | 'direction'>;
  passages: PassageStore;
  lists: Pick<SiteLists, 'site'>;
  gone: GonePassages;
  /** A vehicle is on the arrival loop; null: nobody knows. */
  arrival: () => boolean | null;
}): WaitingCar {
  const { lane, passages, lists, gone, arrival } = parts;

  function maxMs(): number {
    return lane.direction === 'exit' ? lists.site().settings.exitWaitMinutes * MINUTE_MS : SHORT_WAIT_MS;
  }

  return {
    maxMs,
    find(at) {
      const [latest] = passages.recent(lane.id);
      if (!latest || latest.decision.open || gone.hasLeft(latest.id)) return null;
      const onLoop = arrival();
      if (onLoop === true) return latest;
      const sinceSeenMs = millis(at) - millis(latest.lastSeenAt);
      if (sinceSeenMs > (onLoop === false ? SHORT_WAIT_MS : maxMs())) return null;
      return passages.movedOn(latest) ? null : latest;
    },
  };
}
