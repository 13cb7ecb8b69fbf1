import type { Clock } from '@hlid/node/clock';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { type CloudAccess, requestCloud } from '../cloud-access/cloud-request.ts';
import { HEALTHY, type HealthSignal } from '../config/health-state.ts';

/** The state of the site's own clock. `tick` is in milliseconds of a monotonic clock. */
export interface SiteClock {
  /** The clock at the last check. */
  last: { wall: number; tick: number } | null;
  /** When it was last set, and by how much. */
  set: { byMs: number; tick: number } | null;
  /** How far ahead of it the cloud's was. */
  cloud: { aheadMs: number; tick: number } | null;
}

export const UNCHECKED_CLOCK: SiteClock = { last: null, set: null, cloud: null };

/** Time services correct a clock by less. */
const SET_MS = 5000;
/** The time for which a comparison with the cloud's clock is valid. */
const CLOUD_VALID_MS = 6 * HOUR_MS;
const COMPARE_EVERY_MS = 15 * MINUTE_MS;
/** The time for which a clock that was set counts as wrong, unless the cloud confirms it. */
const UNTRUSTED_MS = HOUR_MS;

/** @returns with another `set` if the clock was set since the last check */
export function checkClock(view: SiteClock, wall: number, tick: number): SiteClock {
  const { last } = view;
  const byMs = last === null ? 0 : wall - last.wall - (tick - last.tick);
  if (Math.abs(byMs) < SET_MS) return { ...view, last: { wall, tick } };
  return { last: { wall, tick }, set: { byMs, tick }, cloud: null };
}

/** Whether it is time to compare with the cloud's clock again. */
export function needsCloudTime({ cloud }: SiteClock, tick: number): boolean {
  return cloud === null || tick - cloud.tick >= COMPARE_EVERY_MS;
}

export function clockSignal({ set, cloud }: SiteClock, tick: number, limitMs: number): HealthSignal {
  if (cloud !== null && tick - cloud.tick < CLOUD_VALID_MS) {
    if (Math.abs(cloud.aheadMs) <= limitMs) return HEALTHY;
    const where = cloud.aheadMs > 0 ? 'behind' : 'ahead of';
    return { state: 'clock-off', detail: `${seconds(cloud.aheadMs)} ${where} the cloud's` };
  }
  if (set !== null && Math.abs(set.byMs) > limitMs && tick - set.tick < UNTRUSTED_MS) {
    const where = set.byMs > 0 ? 'forward' : 'back';
    return {
      state: 'clock-off',
      detail: `it was set ${where} by ${seconds(set.byMs)}, and there is no cloud to compare it with`,
    };
  }
  return HEALTHY;
}

/** @param behindMs by how much the clock is behind what was confirmed once */
export function rememberedClockSignal(behindMs: number, limitMs: number): HealthSignal {
  if (behindMs <= limitMs) return HEALTHY;
  return {
    state: 'clock-off',
    detail: `at least ${seconds(behindMs)} behind what it showed when it was last right`,
  };
}

function seconds(ms: number): string {
  return `${Math.round(Math.abs(ms) / 1000)} s`;
}

const CLOUD_TIMEOUT_MS = 5000;

/**
 * How far ahead of this clock the cloud's is, in milliseconds, to the second: by the `Date` header of an
 * answer, whatever its status. Null: no answer in time.
 */
export async function measureCloudTime(
  { httpUrl, tls }: Pick<CloudAccess, 'httpUrl' | 'tls'>,
  clock: Clock,
): Promise<number | null> {
  const sentAt = clock.now().getTime();
  try {
    const signal = AbortSignal.timeout(CLOUD_TIMEOUT_MS);
    const { headers, body } = await requestCloud(`${httpUrl}/ping`, { signal, tls });
    body.destroy();
    const cloudTime = Date.parse(headers.date ?? '');
    // The header has whole seconds, rounded down.
    return Number.isNaN(cloudTime) ? null : cloudTime + 500 - (sentAt + clock.now().getTime()) / 2;
  } catch {
    return null;
  }
}
