import { MINUTE_MS } from '../base/durations.ts';
import { millis, type UtcTime } from '../base/utc-time.ts';
import type { Direction, SiteSettings } from '../records/lane.ts';

/** A car reaches the loop within this time after it was read; at an entrance it does not wait longer either. */
const SHORT_WAIT_MS = 30_000;

/** The state of the car's lane. */
export interface LaneAtGate {
  direction: Direction;
  /** Whether a loop reports a car at the gate; null: unknown. */
  onLoop: boolean | null;
  settings: Pick<SiteSettings, 'exitWaitMinutes'>;
  /** Whether the car was seen at another lane since. */
  movedOn: () => boolean;
}

/**
 * Whether the newest car of a lane waits at its closed gate. A car that an exit has kept cannot leave without
 * a trace. It waits until there is a sign that it is gone: a loop, another car on the lane, a read at another
 * lane, or a person who opens the gate. Many cameras never read a standing car again, so time alone ends it
 * only after long.
 */
export function waitsAtGate(
  { open, seenAt }: { open: boolean; seenAt: UtcTime },
  { direction, onLoop, settings, movedOn }: LaneAtGate,
  at: UtcTime,
): boolean {
  if (open) return false;
  if (onLoop === true) return true;
  const isShort = onLoop === false || direction === 'entry';
  const maxMs = isShort ? SHORT_WAIT_MS : settings.exitWaitMinutes * MINUTE_MS;
  return millis(at) - millis(seenAt) <= maxMs && !movedOn();
}
