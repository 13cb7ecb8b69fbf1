import { Temporal } from 'temporal-polyfill';
import { type UtcTime, utcTime } from './utc-time.ts';

/**
 * A moment in ISO 8601, with its offset or by the wall clock of a zone. Null where there is no such time, or where the
 * wall shows it not at all or twice, as the clocks change: see `wallProblem`.
 */
export function momentOf(text: string, timeZone: string): UtcTime | null {
  try {
    return utcTime(Temporal.Instant.from(text).epochMilliseconds);
  } catch {
    // No offset: by the wall.
  }
  try {
    const wall = Temporal.PlainDateTime.from(text);
    return utcTime(wall.toZonedDateTime(timeZone, { disambiguation: 'reject' }).epochMilliseconds);
  } catch {
    return null;
  }
}

/** Why a time is no single moment of a zone's wall clock; null: it is one, or is no time of a wall clock. */
export function wallProblem(text: string, timeZone: string): 'skipped' | 'twice' | null {
  try {
    const wall = Temporal.PlainDateTime.from(text);
    const [earlier, later] = (['earlier', 'later'] as const).map((disambiguation) =>
      wall.toZonedDateTime(timeZone, { disambiguation }),
    );
    if (earlier === undefined || later === undefined || earlier.equals(later)) return null;
    return earlier.toPlainDateTime().equals(wall) ? 'twice' : 'skipped';
  } catch {
    return null;
  }
}
