import { NUMBER_LOCALES } from '@hlid/protocol/base/language';
import { dateText } from '@hlid/protocol/site-link/site-wall';
import { LANGUAGE } from '../../words/words.ts';
import type { DaySpan } from './compared-period.ts';
import { REPORT } from './report-words.ts';

/** `from 1 November to 23 November 2026`: the year stands where it changes, and at the end. */
export function spanText({ from, to }: DaySpan): string {
  const [first, last] = [from.slice(0, 4), to.slice(0, 4)];
  const end = `${dateText(to, LANGUAGE)} ${last}`;
  if (from === to) return REPORT.onDay({ day: end });
  return REPORT.span({ from: `${dateText(from, LANGUAGE)}${first === last ? '' : ` ${first}`}`, to: end });
}

/** A day as it stands under a narrow bar: `17/11`. */
export function shortDay(day: string): string {
  const [, month, of] = day.split('-').map(Number);
  return LANGUAGE === 'is' ? `${of}.${month}.` : `${of}/${month}`;
}

/** The months of a span: `November 2026`, or the first and the last of several. */
export function monthsText({ from, to }: DaySpan): string {
  const [first, last] = [from, to].map((day) => periodLabel('month', { key: null, from: day }));
  return first === last ? `${first}` : `${first} – ${last}`;
}

/** A day, a week of ISO 8601 or a month, as it stands under a bar and in a table. */
export function periodLabel(
  by: 'day' | 'week' | 'month',
  { key, from }: { key: string | null; from: string },
) {
  const [year = '', week = ''] = (key ?? '').split('-W');
  if (by === 'week') return REPORT.week({ week: String(Number(week)), year });
  const text = dateText(from, LANGUAGE);
  // The month's name without its day.
  return by === 'day' ? text : `${text.replace(/[\d.\s\u00a0]+/g, '')} ${from.slice(0, 4)}`;
}

/** A length of time in hours and minutes. */
export function minutesText(minutes: number): string {
  const whole = Math.round(minutes);
  const [hours, rest] = [Math.floor(whole / 60), whole % 60];
  return hours === 0
    ? REPORT.minutes({ minutes: rest })
    : REPORT.hoursMinutes({ hours: countText(hours), minutes: rest });
}

export function countText(count: number): string {
  return new Intl.NumberFormat(NUMBER_LOCALES[LANGUAGE]).format(count);
}

/** The average, with one decimal if the largest of its table is small. */
export function averageText(average: number, largest: number): string {
  const digits = largest < 20 ? 1 : 0;
  return new Intl.NumberFormat(NUMBER_LOCALES[LANGUAGE], {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(average);
}

/** A number of cars, with one decimal where it is an average. */
export function carsText(cars: number): string {
  return new Intl.NumberFormat(NUMBER_LOCALES[LANGUAGE], { maximumFractionDigits: 1 }).format(cars);
}

export function percentText(share: number): string {
  const text = new Intl.NumberFormat(NUMBER_LOCALES[LANGUAGE], {
    maximumFractionDigits: 1,
  }).format(share * 100);
  return `${text}%`;
}
