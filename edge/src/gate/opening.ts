import { millis, type UtcTime } from '@hlid/protocol/utc-time';
import type { Passage } from '../passage/passage-store.ts';
import type { Opening } from './gate-keeper.ts';

/** After these times, and not before, a car that still stands there is opened to again. */
const AFTER_FAILURE_MS = 2000;
const AFTER_PULSE_MS = 15_000;
/** Any gate whose opening was wished for without an answer has come to rest by then. */
const AFTER_LOST_ANSWER_MS = 30_000;
/** A car for which the gate has, or may have, opened so often is parked there. */
const MAX_PULSES = 5;

/** What the gate's keeper is told. */
export function openingOf({ id, laneId, decision }: Passage, how: 'once' | 'if-closed'): Opening {
  const onlyIfClosed = how === 'if-closed';
  return { laneId, passageId: id, why: decision.reason, by: `lane:${laneId}`, onlyIfClosed };
}

/**
 * Whether the gate should be told to open for a passage that may: `once` for the first time or when the last try
 * certainly came to nothing, `if-closed` when the last answer was lost and only the device itself can tell.
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
