import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import type { Opening } from '../gate/lane-gate.ts';
import type { Passage } from '../passage/passage-store.ts';

/** The pauses before the gate opens again for a car that still stands there. */
const AFTER_FAILURE_MS = 2000;
const AFTER_PULSE_MS = 15_000;
/** The gate of an entrance that was commanded to open, and did not answer, has come to rest by then. */
const AFTER_LOST_ANSWER_MS = 30_000;
/** The number of openings for a car after which it counts as parked there, unless a loop reports it. */
export const MAX_PULSES = 5;
const MAX_PAUSE_ON_LOOP_MS = 5 * MINUTE_MS;

/**
 * `once`: for the first time, or the last try certainly failed. `in-doubt`: the last answer was lost, so a device that
 * reports its gate is asked first.
 */
export type OpeningKind = 'once' | 'in-doubt';

/** The state of the lane at which the passage is. */
export interface LaneNow {
  direction: 'entry' | 'exit';
  /** The loop reports the car. */
  stillThere: boolean;
}

/** The order to the gate's controller for a passage. */
export function openingOf({ id, laneId, decision }: Passage, how: OpeningKind): Opening {
  return {
    laneId,
    passageId: id,
    reason: decision.reason,
    by: `lane:${laneId}`,
    inDoubt: how === 'in-doubt',
  };
}

/** Whether the gate should open for a passage that may pass. */
export function openingFor(passage: Passage, at: UtcTime, lane: LaneNow): OpeningKind | null {
  if (!passage.decision.open) return null;
  if (passage.pulsedAt === null) return 'once';
  const sinceMs = millis(at) - millis(passage.pulsedAt);
  switch (passage.gate) {
    case 'untouched':
    case 'refused':
    case 'unreachable':
      return sinceMs >= AFTER_FAILURE_MS ? 'once' : null;
    case 'done':
      return sinceMs >= pauseAfterPulse(passage.pulses, lane.stillThere) ? 'once' : null;
    case 'wanted':
    case 'unknown':
      // An exit opens again; only the retries of the lane make their pauses longer.
      if (lane.direction === 'exit') return sinceMs >= AFTER_FAILURE_MS ? 'in-doubt' : null;
      if (passage.pulses < MAX_PULSES && sinceMs >= AFTER_LOST_ANSWER_MS) return 'once';
      return sinceMs >= AFTER_FAILURE_MS ? 'in-doubt' : null;
    default:
      return passage.gate satisfies never;
  }
}

function pauseAfterPulse(pulses: number, stillThere: boolean): number {
  if (pulses < MAX_PULSES) return AFTER_PULSE_MS;
  if (!stillThere) return Number.POSITIVE_INFINITY;
  return Math.min(AFTER_PULSE_MS * 2 ** (pulses - MAX_PULSES + 1), MAX_PAUSE_ON_LOOP_MS);
}
