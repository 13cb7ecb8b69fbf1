import { z } from 'zod';

/**
 * A moment in UTC with milliseconds, such as `2026-11-21T08:30:00.000Z`. Always this one form, so that moments
 * sort as text.
 */
export const UtcTimeSchema = z.iso.datetime({ precision: 3 }).meta({ id: 'UtcTime' });
export type UtcTime = z.infer<typeof UtcTimeSchema>;

/** The moment of a `Date` or of milliseconds since 1970. Throws RangeError where there is no such moment. */
export function utcTime(at: Date | number): UtcTime {
  const ms = Number(at);
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() };
  return last.text;
}

/** One car needs the same millisecond many times. */
let last = { ms: Number.NaN, text: '' };

/** Milliseconds since 1970. */
export function millis(at: UtcTime): number {
  return Date.parse(at);
}
