import { DAY_MS } from '@hlid/protocol/base/durations';

/** The ways in which a report on income can be split. */
export const INCOME_BY = ['day', 'week', 'month', 'site'] as const;
export type IncomeBy = (typeof INCOME_BY)[number];

/** A part of a report: a stretch of days, or a site. */
export interface Period {
  key: string;
  /** The name of the site, if the period is a site's. */
  name: string | null;
  /** `YYYY-MM-DD`, both included. */
  from: string;
  to: string;
}

/** How many days from one to the other, both counted. */
export function daysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from) + 1;
}

/** The periods that a stretch of days falls into, cut off at its ends. */
export function periodsOf(by: Exclude<IncomeBy, 'site'>, from: string, to: string): Period[] {
  const periods: Period[] = [];
  const end = dayNumber(to);
  let number = dayNumber(from);
  while (number <= end) {
    const day = dayOf(number);
    const last = Math.min(end, lastDayOf(by, number));
    periods.push({ key: periodKey(by, day), name: null, from: day, to: dayOf(last) });
    number = last + 1;
  }
  return periods;
}

/** The last day of the period of a day, both as numbers. */
function lastDayOf(by: Exclude<IncomeBy, 'site'>, number: number): number {
  if (by === 'day') return number;
  if (by === 'week') return number - sinceMonday(number) + 6;
  const day = new Date(number * DAY_MS);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1) / DAY_MS - 1;
}

/**
 * The period of a day: the day itself, its week by ISO 8601 (`2026-W01`: the one with the year's first Thursday), its
 * month.
 */
export function periodKey(by: Exclude<IncomeBy, 'site'>, day: string): string {
  switch (by) {
    case 'day':
      return day;
    case 'week':
      return isoWeek(day);
    case 'month':
      return day.slice(0, 'YYYY-MM'.length);
    default:
      return by satisfies never;
  }
}

function isoWeek(day: string): string {
  const number = dayNumber(day);
  const thursday = number - sinceMonday(number) + 3;
  const year = dayOf(thursday).slice(0, 'YYYY'.length);
  const week = Math.floor((thursday - dayNumber(`${year}-01-01`)) / 7) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

function sinceMonday(number: number): number {
  // 1 January 1970 was a Thursday.
  return (((number + 3) % 7) + 7) % 7;
}

function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`) / DAY_MS;
}

function dayOf(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
