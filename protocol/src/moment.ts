import { Temporal } from 'temporal-polyfill';
import { type UtcTime, utcTime } from './utc-time.ts';

/** A moment in ISO 8601, with its offset or by the wall clock of a zone; null where there is no such time. */
export function momentOf(text: string, timeZone: string): UtcTime | null {
  try {
    return utcTime(Temporal.Instant.from(text).epochMilliseconds);
  } catch {
    // No offset: by the wall.
  }
  try {
    return utcTime(Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).epochMilliseconds);
  } catch {
    return null;
  }
}
