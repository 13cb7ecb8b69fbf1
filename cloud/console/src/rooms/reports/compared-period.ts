import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { DAY_MS } from '@hlid/protocol/base/durations';

/** Days from one to the other, both included. */
export interface DaySpan {
  from: string;
  to: string;
}

/**
 * The period before another, to compare with. Whole months have the same number of whole months before them,
 * and the beginning of a month has the same days of the month before. Other periods have the same number of
 * days before them.
 */
export function periodBefore({ from, to }: DaySpan): DaySpan {
  const isFirst = from.endsWith('-01');
  const isWhole = isFirst && dayAfter(to, 1).endsWith('-01');
  if (isWhole) {
    const months = monthNumber(to) - monthNumber(from) + 1;
    return { from: `${monthText(monthNumber(from) - months)}-01`, to: dayAfter(from, -1) };
  }
  if (isFirst && monthNumber(from) === monthNumber(to)) {
    const before = monthText(monthNumber(from) - 1);
    const last = dayAfter(from, -1);
    const same = `${before}-${to.slice(-2)}`;
    return { from: `${before}-01`, to: same < last ? same : last };
  }
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return { from: dayAfter(from, -days), to: dayAfter(from, -1) };
}

function monthNumber(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}

function monthText(number: number): string {
  return `${Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}`;
}

/** The default split of a period: as many bars as stay wide enough to read. */
export function usualSplit({ from, to }: DaySpan): 'day' | 'week' | 'month' {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days <= 45) return 'day';
  return days <= 190 ? 'week' : 'month';
}
