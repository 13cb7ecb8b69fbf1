import { DAY_MS } from '@hlid/protocol/base/durations';
import { wallClock } from '@hlid/protocol/base/site-time';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { daySpan } from '../../platform/day-span.ts';
import type { BillingInterval } from '../../records/customers/customer-billing.ts';

/** A calendar day or month. */
export interface BillingPeriod {
  /** `YYYY-MM-DD` or `YYYY-MM`. */
  key: string;
  from: UtcTime;
  /** The end of the period, which is not included. */
  before: UtcTime;
}

/** The day or the month of a moment, by the wall clock of a time zone. */
export function periodOf(at: UtcTime, interval: BillingInterval, timeZone: string): BillingPeriod {
  const { date } = wallClock(at, timeZone);
  return periodOfKey(interval === 'daily' ? date : date.slice(0, MONTH), timeZone);
}

/** The same by its name. */
export function periodOfKey(key: string, timeZone: string): BillingPeriod {
  if (key.length > MONTH) return { key, ...daySpan(key, timeZone) };
  const { from } = daySpan(`${key}-01`, timeZone);
  return { key, from, before: daySpan(`${keyAfter(key)}-01`, timeZone).from };
}

/** The name of the day or month after this one. */
export function keyAfter(key: string): string {
  // The day 31 days after the first of any month is in the next month.
  const [first, days] = key.length > MONTH ? [key, 1] : [`${key}-01`, 31];
  return utcTime(millis(`${first}T00:00:00.000Z`) + days * DAY_MS).slice(0, key.length);
}

/** The first and the last day of a period, for people. */
export function daysOf(key: string): [first: string, last: string] {
  if (key.length > MONTH) return [key, key];
  const next = millis(`${keyAfter(key)}-01T00:00:00.000Z`);
  return [`${key}-01`, utcTime(next - DAY_MS).slice(0, DAY)];
}

const MONTH = 'YYYY-MM'.length;
const DAY = 'YYYY-MM-DD'.length;
