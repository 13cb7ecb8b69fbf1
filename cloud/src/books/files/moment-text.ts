import type { DateFormat } from '@hlid/protocol/base/books-files';
import { isCalendarDay, localMoment } from '@hlid/protocol/base/site-time';
import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';

const PATTERNS: Readonly<Record<DateFormat, RegExp>> = {
  'YYYY-MM-DD': /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)/,
  'DD.MM.YYYY': /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})/,
  'DD/MM/YYYY': /^(?<day>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{4})/,
  'MM/DD/YYYY': /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})/,
  'DD-MM-YYYY': /^(?<day>\d{1,2})-(?<month>\d{1,2})-(?<year>\d{4})/,
  YYYYMMDD: /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)/,
};

/** The day in a text, and the time behind it. @param at null: there is no time */
export interface DayAndMoment {
  day: string;
  at: UtcTime | null;
}

/**
 * A day, with a time behind it or without.
 *
 * @param timeZone where the time is local; a time with an offset of its own goes by that
 * @returns null: it is none in that format
 */
export function dayAndMoment(text: string, format: DateFormat, timeZone: string): DayAndMoment | null {
  const found = PATTERNS[format].exec(text);
  const { year = '', month = '', day = '' } = found?.groups ?? {};
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (found === null || !isCalendarDay(date)) return null;
  const rest = text.slice(found[0].length).trim();
  if (rest === '') return { day: date, at: null };
  const [, hour = '', minute = '', second = '00', offset] =
    /^T?(\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?$/.exec(rest) ?? [];
  if (hour === '' || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const local = `${date}T${hour}:${minute}:${second}`;
  if (offset === undefined) return { day: date, at: localMoment(local, timeZone) };
  const at = Date.parse(`${local}${offset === 'Z' ? 'Z' : offset.replace(/^(.\d\d):?/, '$1:')}`);
  return Number.isNaN(at) ? null : { day: date, at: utcTime(at) };
}

/** A day of an XML or JSON document, with a time behind it or without; null: it is none. */
export function isoDay(text: string): string | null {
  return dayAndMoment(text.replace(/Z$|[+-]\d\d:\d\d$/, ''), 'YYYY-MM-DD', 'UTC')?.day ?? null;
}
