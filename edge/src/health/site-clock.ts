import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/utc-time';
import { type Sign, WELL } from './device-health.ts';

/** What is known of the site's own clock. All times but `wall` by a clock that nobody sets, in milliseconds. */
export interface SiteClockView {
  /** How the clock stood when it was last looked at. */
  last: { wall: number; tick: number } | null;
  /** When it was last set, and by how much. */
  set: { byMs: number; tick: number } | null;
  /** How far ahead of it the cloud's was. */
  cloud: { aheadMs: number; tick: number } | null;
}

export const UNSEEN_CLOCK: SiteClockView = { last: null, set: null, cloud: null };

/** Clocks that are kept right are moved by less. */
const SET_MS = 5000;
/** What the cloud said is good for so long. */
const CLOUD_GOOD_FOR_MS = 6 * HOUR_MS;
const ASKED_EVERY_MS = 15 * MINUTE_MS;
/** So long after it was set, and nobody there to compare with, it counts as wrong. */
const DOUBTED_FOR_MS = HOUR_MS;

/** Looks at the clock. @returns with another `set` where somebody has set it since it was last looked at */
export function lookAtClock(view: SiteClockView, wall: number, tick: number): SiteClockView {
  const { last } = view;
  const byMs = last === null ? 0 : wall - last.wall - (tick - last.tick);
  if (Math.abs(byMs) < SET_MS) return { ...view, last: { wall, tick } };
  return { last: { wall, tick }, set: { byMs, tick }, cloud: null };
}

/** Whether it is time to ask the cloud what time it is. */
export function wantsCloudTime({ cloud }: SiteClockView, tick: number): boolean {
  return cloud === null || tick - cloud.tick >= ASKED_EVERY_MS;
}

export function judgeClock({ set, cloud }: SiteClockView, tick: number, limitMs: number): Sign {
  if (cloud !== null && tick - cloud.tick < CLOUD_GOOD_FOR_MS) {
    if (Math.abs(cloud.aheadMs) <= limitMs) return WELL;
    const where = cloud.aheadMs > 0 ? 'behind' : 'ahead of';
    return { state: 'clock-off', detail: `${seconds(cloud.aheadMs)} ${where} the cloud's` };
  }
  if (set !== null && Math.abs(set.byMs) > limitMs && tick - set.tick < DOUBTED_FOR_MS) {
    const where = set.byMs > 0 ? 'forward' : 'back';
    return {
      state: 'clock-off',
      detail: `it was set ${where} by ${seconds(set.byMs)}, and no cloud to compare with`,
    };
  }
  return WELL;
}

function seconds(ms: number): string {
  return `${Math.round(Math.abs(ms) / 1000)} s`;
}
