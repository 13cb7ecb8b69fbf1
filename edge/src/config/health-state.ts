import { backoffMs } from '@hlid/protocol/base/backoff';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { type DeviceState, isAlarm, severityOf } from '@hlid/protocol/records/device';

/** The report of one source about a device, such as a camera's clock or its ONVIF login. */
export interface HealthSignal {
  state: DeviceState;
  /** The fault, for a technician; empty: none. */
  detail: string;
}

export const HEALTHY: HealthSignal = { state: 'ok', detail: '' };

/** A moment on two clocks: one for people, and a monotonic one in milliseconds. */
export interface Moment {
  wall: UtcTime;
  tick: number;
}

/** The health of a device. */
export interface HealthRecord {
  /** The reported state. */
  state: DeviceState;
  detail: string;
  since: UtcTime;
  /** The last problem that was reported. */
  lastError: { detail: string; at: UtcTime } | null;
  /** The signals by source, with the tick since which each is reported. */
  signals: Readonly<Record<string, HealthSignal & { from: number }>>;
  /** The tick since which all signals are better than the reported state. */
  betterFrom: number | null;
  /** The ticks of the state changes within the last hour. */
  changedAt: readonly number[];
}

/** How long a state must last before it is reported: a device that is busy for a moment is not away. */
const REPORT_AFTER_MS: Readonly<Partial<Record<DeviceState, number>>> = { unreachable: MINUTE_MS };
/**
 * An alarm ends when all has been well for this long; the time doubles with each further alarm of the hour.
 */
const ENDS_AFTER_MS = 30_000;
/** The most to which that time doubles. */
const MAX_END_MS = 30 * MINUTE_MS;

/** A device about which nothing was reported yet. */
export function unknownHealth(since: UtcTime): HealthRecord {
  return {
    state: 'unknown',
    detail: '',
    since,
    lastError: null,
    signals: {},
    betterFrom: null,
    changedAt: [],
  };
}

/** Notes the signal of a source; null: it has none any more. The reported state does not change. */
export function noteSignal(
  health: HealthRecord,
  source: string,
  signal: HealthSignal | null,
  at: Moment,
): HealthRecord {
  const { [source]: known, ...others } = health.signals;
  if (signal === null) return known ? { ...health, signals: others } : health;
  if (known?.state === signal.state && known.detail === signal.detail) return health;
  const from = known?.state === signal.state ? known.from : at.tick;
  const lastError = isAlarm(signal.state)
    ? { detail: signal.detail || signal.state, at: at.wall }
    : health.lastError;
  return { ...health, signals: { ...others, [source]: { ...signal, from } }, lastError };
}

/** The same as if its signals had lasted long enough: a person has just had the device checked. */
export function asLasting(health: HealthRecord): HealthRecord {
  const signals = Object.entries(health.signals).map(
    ([source, signal]) => [source, { ...signal, from: Number.NEGATIVE_INFINITY }] as const,
  );
  return { ...health, signals: Object.fromEntries(signals), betterFrom: Number.NEGATIVE_INFINITY };
}

/**
 * Decides the state to report: that of the worst signal. A worse state is reported at once, and a better one
 * only after it has lasted. It must last longer the more often the state has changed, so that a device that
 * comes and goes has one long alarm instead of many.
 *
 * @returns with another `state` where there is something new to report
 */
export function judgeHealth(health: HealthRecord, at: Moment): HealthRecord {
  const signal = worstSignal(health, at.tick);
  if (signal === null) return health;
  const { state, detail } = signal;
  if (state === health.state) {
    if (health.betterFrom === null && detail === health.detail) return health;
    return { ...health, detail, betterFrom: null };
  }
  const changedAt = health.changedAt.filter((tick) => at.tick - tick < HOUR_MS);
  if (isAlarm(health.state) && severityOf(state) < severityOf(health.state)) {
    const betterFrom = health.betterFrom ?? at.tick;
    if (at.tick - betterFrom < endsAfterMs(changedAt.length)) return { ...health, betterFrom };
  }
  return { ...health, state, detail, since: at.wall, betterFrom: null, changedAt: [...changedAt, at.tick] };
}

/** The worst of the signals that have lasted long enough. */
function worstSignal({ signals }: HealthRecord, tick: number): HealthSignal | null {
  let worst: HealthSignal | null = null;
  for (const signal of Object.values(signals)) {
    if (tick - signal.from < (REPORT_AFTER_MS[signal.state] ?? 0)) continue;
    if (worst === null || isWorse(signal, worst)) worst = signal;
  }
  return worst;
}

/** Whether a signal is worse; between two equally severe ones, the one with a detail is. */
function isWorse(signal: HealthSignal, other: HealthSignal): boolean {
  const more = severityOf(signal.state) - severityOf(other.state);
  return more > 0 || (more === 0 && other.detail === '' && signal.detail !== '');
}

function endsAfterMs(changesWithinHour: number): number {
  return backoffMs(changesWithinHour, { firstMs: ENDS_AFTER_MS, maxMs: MAX_END_MS });
}
