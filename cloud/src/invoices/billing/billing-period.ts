import { wallClock } from '@hlid/protocol/site-time';
import { DAY_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { BillingInterval } from '../../customers/customer-billing.ts';
import { daySpan } from '../../day-span.ts';

/** A calendar day or month. */
export interface BillingPeriod {
  /** `YYYY-MM-DD` or `YYYY-MM`. */
  key: string;
  from: UtcTime;
  /** Not included. */
  before: UtcTime;
}

/** The day or the month of a moment, by the wall clock of a time zone. */
export function periodOf(at: UtcTime, interval: BillingInterval, timeZone: string): BillingPeriod {
  const { date } = wallClock(at, timeZone);
  if (interval === 'daily') return { key: date, ...daySpan(date, timeZone) };
  const key = date.slice(0, 'YYYY-MM'.length);
  const { from } = daySpan(`${key}-01`, timeZone);
  return { key, from, before: daySpan(firstOfNext(key), timeZone).from };
}

/** The period that begins as this one ends. */
export function periodAfter(
  { before }: BillingPeriod,
  interval: BillingInterval,
  timeZone: string,
): BillingPeriod {
  return periodOf(before, interval, timeZone);
}

/** The first and the last day of a period, for people. */
export function daysOf(
  { from, before }: Pick<BillingPeriod, 'from' | 'before'>,
  timeZone: string,
): [first: string, last: string] {
  return [wallClock(from, timeZone).date, wallClock(utcTime(millis(before) - 1), timeZone).date];
}

/** The first day of the month after `YYYY-MM`. */
function firstOfNext(month: string): string {
  // From the first of any month 31 days on is in the next one.
  const later = utcTime(millis(`${month}-01T00:00:00.000Z`) + 31 * DAY_MS);
  return `${later.slice(0, 'YYYY-MM'.length)}-01`;
}
