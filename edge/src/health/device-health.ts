import { backoffMs } from '@hlid/protocol/backoff';
import { type DeviceState, isAlarm, severityOf } from '@hlid/protocol/device';
import { HOUR_MS, MINUTE_MS, type UtcTime } from '@hlid/protocol/utc-time';

/** What one source says of a device, such as a camera's clock, or its ONVIF login. */
export interface Sign {
  state: DeviceState;
  /** What is wrong, for a technician; empty where nothing is. */
  detail: string;
}

export const WELL: Sign = { state: 'ok', detail: '' };

/** A moment on two clocks: one for people, and one in milliseconds that nobody sets. */
export interface Moment {
  wall: UtcTime;
  tick: number;
}

/** What is known of a device. */
export interface DeviceHealth {
  /** What is told of it … */
  state: DeviceState;
  detail: string;
  since: UtcTime;
  /** … and the last thing that was wrong. */
  lastError: { detail: string; at: UtcTime } | null;
  /** By source, with the tick from which it says so. */
  signs: Readonly<Record<string, Sign & { from: number }>>;
  /** The tick from which all that is said is better than what is told. */
  betterFrom: number | null;
  /** The ticks at which something was told within the last hour. */
  toldAt: readonly number[];
}

/** How long a state must last before it is told: a device that is busy for a moment is not away. */
const TOLD_AFTER_MS: Readonly<Partial<Record<DeviceState, number>>> = { unreachable: MINUTE_MS };
/** An alarm ends once all has been well for so long, and four times that for each further one of the same hour … */
const ENDS_AFTER_MS = 30_000;
/** … but at the most after that. */
const MAX_END_MS = 30 * MINUTE_MS;

/** A device of which nothing has been heard yet. */
export function unheardDevice(since: UtcTime): DeviceHealth {
  return { state: 'unknown', detail: '', since, lastError: null, signs: {}, betterFrom: null, toldAt: [] };
}

/** Notes what a source says, null: nothing any more. Nothing is told by that. */
export function noteSign(health: DeviceHealth, source: string, sign: Sign | null, at: Moment): DeviceHealth {
  const { [source]: known, ...others } = health.signs;
  if (sign === null) return known ? { ...health, signs: others } : health;
  if (known?.state === sign.state && known.detail === sign.detail) return health;
  const from = known?.state === sign.state ? known.from : at.tick;
  const lastError = isAlarm(sign.state)
    ? { detail: sign.detail || sign.state, at: at.wall }
    : health.lastError;
  return { ...health, signs: { ...others, [source]: { ...sign, from } }, lastError };
}

/**
 * What is told of a device now: the worst of its signs. Worse news are told at once, better ones when they have lasted,
 * and the longer the more often it has changed: a device that comes and goes is in alarm the whole time, instead of
 * raising one alarm after the other.
 *
 * @returns with another `state` where there is something new to tell
 */
export function judgeHealth(health: DeviceHealth, at: Moment): DeviceHealth {
  const sign = worstSign(health, at.tick);
  if (sign === null) return health;
  const { state, detail } = sign;
  if (state === health.state) {
    if (health.betterFrom === null && detail === health.detail) return health;
    return { ...health, detail, betterFrom: null };
  }
  const toldAt = health.toldAt.filter((told) => at.tick - told < HOUR_MS);
  if (isAlarm(health.state) && severityOf(state) < severityOf(health.state)) {
    const betterFrom = health.betterFrom ?? at.tick;
    if (at.tick - betterFrom < endsAfterMs(toldAt.length)) return { ...health, betterFrom };
  }
  return { ...health, state, detail, since: at.wall, betterFrom: null, toldAt: [...toldAt, at.tick] };
}

/** The worst sign of those that have lasted long enough. */
function worstSign({ signs }: DeviceHealth, tick: number): Sign | null {
  let worst: Sign | null = null;
  for (const sign of Object.values(signs)) {
    if (tick - sign.from < (TOLD_AFTER_MS[sign.state] ?? 0)) continue;
    if (worst === null || severityOf(sign.state) > severityOf(worst.state)) worst = sign;
  }
  return worst;
}

function endsAfterMs(toldWithinHour: number): number {
  return backoffMs(toldWithinHour, { firstMs: ENDS_AFTER_MS, maxMs: MAX_END_MS });
}
