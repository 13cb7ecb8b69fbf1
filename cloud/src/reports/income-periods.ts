import { DAY_MS } from '@hlid/protocol/utc-time';

/** By what a report on income can be split. */
export const INCOME_BY = ['day', 'week', 'month', 'site'] as const;
export type IncomeBy = (typeof INCOME_BY)[number];

/** A part of a report: a stretch of days, or a site. */
export interface Period {
  key: string;
  /** Of a site. */
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
  for (let number = dayNumber(from); number <= end; number++) {
    const day = dayOf(number);
    const key = periodKey(by, day);
    const last = periods.at(-1);
    if (last?.key === key) last.to = day;
    else periods.push({ key, name: null, from: day, to: day });
  }
  return periods;
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
  // 1 January 1970 was a Thursday.
  const sinceMonday = (((number + 3) % 7) + 7) % 7;
  const thursday = number - sinceMonday + 3;
  const year = dayOf(thursday).slice(0, 'YYYY'.length);
  const week = Math.floor((thursday - dayNumber(`${year}-01-01`)) / 7) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`) / DAY_MS;
}

function dayOf(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
