import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { daysBetween } from './income-periods.ts';

/** Days from one to the other, both included. */
export interface DaySpan {
  from: string;
  to: string;
}

/** The periods with which a report compares a span of days. */
export const COMPARED = ['week', 'month', 'year'] as const;
export type Compared = (typeof COMPARED)[number];

/** A longer span would overlap with the one that it is compared with. */
const MAX_DAYS: Readonly<Record<Compared, number>> = { week: 7, month: 31, year: 366 };

/**
 * The same days a week, a month or a year before; null: the span is longer than that. The month before has the same days
 * of the month, a whole month has the whole month before, and what the other month does not have is its last day.
 */
export function spanBefore({ from, to }: DaySpan, compared: Compared): DaySpan | null {
  if (daysBetween(from, to) > MAX_DAYS[compared]) return null;
  if (compared === 'week') return { from: dayAfter(from, -7), to: dayAfter(to, -7) };
  const months = compared === 'month' ? -1 : -12;
  const isWhole = from.endsWith('-01') && dayAfter(to, 1).endsWith('-01');
  const last = addMonths(to, months);
  return { from: addMonths(from, months), to: isWhole ? lastOfMonth(last) : last };
}

function addMonths(day: string, months: number): string {
  const date = new Date(`${day.slice(0, 'YYYY-MM'.length)}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + months);
  const first = dayOf(date);
  const same = first.slice(0, 'YYYY-MM'.length) + day.slice('YYYY-MM'.length);
  const last = lastOfMonth(first);
  return same < last ? same : last;
}

function lastOfMonth(day: string): string {
  const [year, month] = day.split('-').map(Number);
  return dayOf(new Date(Date.UTC(year ?? 0, month ?? 0, 0)));
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 'YYYY-MM-DD'.length);
}
