import type { GateAction } from '@hlid/protocol/site-event';
import { MINUTE_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';

/** Who decides about a gate: the lane, or a person who has said that it stays open, or closed. */
export type GateMode = 'automatic' | 'held-open' | 'kept-closed';

/** What a person has said about a gate, until somebody says otherwise. */
export interface GateOrder {
  laneId: string;
  mode: GateMode;
  since: UtcTime;
  by: string;
  why: string;
  /** An exit is not kept closed for ever by somebody who forgets it: nobody is trapped. */
  lapsesAt: UtcTime | null;
  /** The device knows. */
  told: boolean;
}

/** A person's wish that a gate moves, or stays as it is. */
export interface Movement {
  /** Found again in the event log. */
  id: string;
  laneId: string;
  action: GateAction;
  by: string;
  why: string;
  /** Asked where it had to wait its turn: whoever wanted it may have given up. */
  stillWanted?: () => boolean;
}

/** So long an exit stays closed before the lane decides again. */
export const EXIT_CLOSED_MS = 15 * MINUTE_MS;

/** What stands after a wish other than a pulse. */
export function orderAfter(
  movement: Movement & { action: Exclude<GateAction, 'pulse'> },
  direction: 'entry' | 'exit',
  at: UtcTime,
): GateOrder {
  const { laneId, action, by, why } = movement;
  const mode = ({ hold: 'held-open', close: 'kept-closed', release: 'automatic' } as const)[action];
  const lapses = mode === 'kept-closed' && direction === 'exit';
  const lapsesAt = lapses ? utcTime(millis(at) + EXIT_CLOSED_MS) : null;
  return { laneId, mode, since: at, by, why, lapsesAt, told: false };
}

/** A clock that was set back so far makes the order's times worth nothing. */
const CLOCK_PLAY_MS = MINUTE_MS;

/** Whether it has come to its end; with the clock set back, rather too early than never. */
export function hasLapsed({ since, lapsesAt }: GateOrder, now: Date): boolean {
  if (lapsesAt === null) return false;
  const ms = now.getTime();
  return ms >= millis(lapsesAt) || ms < millis(since) - CLOCK_PLAY_MS;
}

/**
 * How the lane is to behave. A gate counts as held open only when its device has said so: until then cars are opened
 * to one by one.
 */
export function modeOf(order: GateOrder | undefined, now: Date): GateMode {
  if (!order || hasLapsed(order, now)) return 'automatic';
  return order.mode === 'held-open' && !order.told ? 'automatic' : order.mode;
}
