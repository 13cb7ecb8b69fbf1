import { dayAfter } from '@hlid/protocol/base/calendar-day';
/** Periods that are asked for again and again. */
export type PeriodName = 'today' | 'yesterday' | 'week' | 'days30' | 'month' | 'lastMonth';

/** The first and the last day of a period, as `YYYY-MM-DD`, both included. */
export function periodOf(name: PeriodName, today: string): { from: string; to: string } {
  switch (name) {
    case 'today':
      return { from: today, to: today };
    case 'yesterday':
      return { from: dayAfter(today, -1), to: dayAfter(today, -1) };
    case 'week':
      return { from: dayAfter(today, -6), to: today };
    case 'days30':
      return { from: dayAfter(today, -29), to: today };
    case 'month':
      return { from: `${today.slice(0, 7)}-01`, to: today };
    case 'lastMonth': {
      const last = dayAfter(`${today.slice(0, 7)}-01`, -1);
      return { from: `${last.slice(0, 7)}-01`, to: last };
    }
    default:
      return name satisfies never;
  }
}
