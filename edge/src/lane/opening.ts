import { millis, type UtcTime } from '@hlid/protocol/utc-time';
import type { Opening } from '../gate/gate-controller.ts';
import type { Passage } from '../passage/passage-store.ts';

/** After these times, and not before, the gate opens again for a car that still stands there. */
const AFTER_FAILURE_MS = 2000;
const AFTER_PULSE_MS = 15_000;
/** Any gate that was commanded to open, and did not answer, has come to rest by then. */
const AFTER_LOST_ANSWER_MS = 30_000;
/** A car for which the gate has, or may have, opened so often is parked there. */
const MAX_PULSES = 5;

/** What the gate's controller is to do for a passage. */
export function openingOf({ id, laneId, decision }: Passage, how: 'once' | 'if-closed'): Opening {
  const onlyIfClosed = how === 'if-closed';
  return { laneId, passageId: id, reason: decision.reason, by: `lane:${laneId}`, onlyIfClosed };
}

/**
 * Whether the gate should open for a passage that may pass: `once` for the first time or when the last try certainly
 * failed, `if-closed` when the last answer was lost and only the device itself knows.
 */
export function openingFor(passage: Passage, at: UtcTime): 'once' | 'if-closed' | null {
  if (!passage.decision.open) return null;
  if (passage.pulsedAt === null) return 'once';
  const mayMove = passage.pulses < MAX_PULSES;
  const sinceMs = millis(at) - millis(passage.pulsedAt);
  switch (passage.gate) {
    case 'untouched':
    case 'refused':
    case 'unreachable':
      return sinceMs >= AFTER_FAILURE_MS ? 'once' : null;
    case 'done':
      return mayMove && sinceMs >= AFTER_PULSE_MS ? 'once' : null;
    case 'wanted':
    case 'unknown':
      if (mayMove && sinceMs >= AFTER_LOST_ANSWER_MS) return 'once';
      return sinceMs >= AFTER_FAILURE_MS ? 'if-closed' : null;
    default:
      return passage.gate satisfies never;
  }
}
