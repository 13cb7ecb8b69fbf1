import { type UtcTime, utcTime } from '@hlid/protocol/utc-time';

/** What time it is; passed in, so that tests set it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** The present moment in the form in which it is stored. */
export function nowUtc(clock: Clock): UtcTime {
  return utcTime(clock.now());
}
