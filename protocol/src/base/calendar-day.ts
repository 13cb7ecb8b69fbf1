import { DAY_MS } from './durations.ts';

const DAY_LENGTH = 'YYYY-MM-DD'.length;

/**
 * The day so many days after a day of the calendar.
 *
 * @param days negative: before it
 * @throws RangeError where `day` is none
 */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00.000Z`) + days * DAY_MS).toISOString().slice(0, DAY_LENGTH);
}
