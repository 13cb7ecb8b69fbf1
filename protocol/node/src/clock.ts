import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';

/** A program's source of time; tests pass their own. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** The present moment in the form in which it is stored. */
export function nowUtc(clock: Clock): UtcTime {
  return utcTime(clock.now());
}
