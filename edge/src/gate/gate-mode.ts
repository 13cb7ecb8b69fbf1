import { MINUTE_MS } from '@hlid/protocol/base/durations';
import type { GateMode, GateState } from '@hlid/protocol/base/statuses';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { GateReason } from '@hlid/protocol/records/gate-reason';
import { MAX_EXIT_CLOSED_MINUTES } from '@hlid/protocol/records/gate-times';
import type { GateAction } from '@hlid/protocol/site-link/site-event';

/** How a gate stands, for people. */
export interface GateView {
  state: GateState;
  since: UtcTime;
  lastError: string | null;
  /** The hold that a person has set; null: the lane decides. */
  hold: GateHoldView | null;
}

/** A gate that a person holds open or keeps closed. */
export interface GateHoldView {
  mode: GateMode;
  since: UtcTime;
  by: string;
  /** The person's name, where it is known. */
  name: string | null;
  reasonCode: GateReason | null;
  /** The text that the person added. */
  reason: string;
  /** When the lane decides again by itself; null: only after another command. */
  lapsesAt: UtcTime | null;
  /** The device has confirmed it. */
  confirmed: boolean;
}

/** The state that an operator has set for a gate, until it is changed. */
export interface GateHold extends GateHoldView {
  laneId: string;
}

/** A person's command for one gate: to move, or to stay as it is. */
export interface GateCommand {
  /** Found again in the event log. */
  id: string;
  laneId: string;
  action: GateAction;
  by: string;
  /** The person's name, where it is known. */
  name?: string | null;
  reasonCode?: GateReason | null;
  reason: string;
  /** The car that is meant; null: whichever stands there. */
  passageId?: string | null;
  /** The time after which a hold or a closing ends by itself; null: it stays until it is released. */
  lapseMinutes?: number | null;
  /** Checked where the command had to wait its turn: the person may have given up. */
  stillWanted?: () => boolean;
}

/** A command other than to open once. */
export type HoldCommand = GateCommand & { action: Exclude<GateAction, 'pulse'> };

/** The hold that a command sets. An exit is never kept closed for longer than `MAX_EXIT_CLOSED_MINUTES`. */
export function holdAfter(
  { laneId, action, by, name = null, reasonCode = null, reason, lapseMinutes = null }: HoldCommand,
  direction: 'entry' | 'exit',
  at: UtcTime,
): GateHold {
  const mode = ({ hold: 'held-open', close: 'kept-closed', release: 'automatic' } as const)[action];
  const wantedMs = lapseMinutes === null ? Number.POSITIVE_INFINITY : lapseMinutes * MINUTE_MS;
  const maxMs =
    mode === 'kept-closed' && direction === 'exit'
      ? MAX_EXIT_CLOSED_MINUTES * MINUTE_MS
      : Number.POSITIVE_INFINITY;
  const lapseMs = mode === 'automatic' ? Number.POSITIVE_INFINITY : Math.min(wantedMs, maxMs);
  const lapsesAt = Number.isFinite(lapseMs) ? utcTime(millis(at) + lapseMs) : null;
  return { laneId, mode, since: at, by, name, reasonCode, reason, lapsesAt, confirmed: false };
}

/** How a lane behaves. `none`: it has no gate. */
export type LaneGateMode = GateMode | 'none';

/** Whether any car may drive through: whatever is decided, it has passed. */
export function letsAllThrough(mode: LaneGateMode): boolean {
  return mode === 'held-open' || mode === 'none';
}

/** A clock that was set back by more makes the hold's times worthless. */
const CLOCK_PLAY_MS = MINUTE_MS;

/** Whether it has ended; with the clock set back, rather too early than never. */
export function hasLapsed({ since, lapsesAt }: GateHold, now: Date): boolean {
  if (lapsesAt === null) return false;
  const ms = now.getTime();
  return ms >= millis(lapsesAt) || ms < millis(since) - CLOCK_PLAY_MS;
}

/**
 * How the lane behaves. A gate counts as held open only when its device has confirmed it: until then it opens for each
 * car.
 */
export function modeOf(hold: GateHold | undefined, now: Date): GateMode {
  if (!hold || hasLapsed(hold, now)) return 'automatic';
  return hold.mode === 'held-open' && !hold.confirmed ? 'automatic' : hold.mode;
}
