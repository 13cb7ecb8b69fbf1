import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import { MINUTE_MS } from '../base/durations.ts';
import { type UtcTime, utcTime } from '../base/utc-time.ts';

const WRITTEN =
  /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})[T ]?(\d{2}):?(\d{2}):?(\d{2})(?:[.,:]?(\d{1,9}))? ?(Z|[+-]\d{1,2}(?::?\d{2})?)?$/i;
/** Some write no zero before a single digit: `2026-2-4 9:03:05`. */
const SHORT_NUMBERS = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})([T ])(\d{1,2}):(\d{1,2}):(\d{1,2})(?!\d)/i;
/** No place on earth is further from UTC. */
const FURTHEST_MINUTES = 14 * 60;

const LONGEST = 40;

/**
 * A camera's written time, with its offset from UTC or by the wall clock: `2023-11-02T21:10:32+01:00`,
 * `2024-02-01 06:00:05.509`, `20190123 154156000`. Null for anything else: zeros, dates that do not exist.
 *
 * @param timeZone IANA zone of times without an offset; UTC where not given
 */
export function cameraTime(written: string | null | undefined, timeZone?: string): UtcTime | null {
  const text = written?.trim() ?? '';
  if (text.length > LONGEST) return null;
  const match = WRITTEN.exec(text) ?? WRITTEN.exec(padded(text));
  if (!match) return null;
  const [, year, month, day, hour, minute, second, fraction, offset] = match;
  const parts = [year, Number(month) - 1, day, hour, minute, second].map(Number) as [number, number];
  const wallMs = Date.UTC(...parts);
  const wall = new Date(wallMs).toISOString();
  // Days and hours that do not exist would have rolled over.
  if (wall.slice(0, 19) !== `${year}-${month}-${day}T${hour}:${minute}:${second}`) return null;
  if (Number(year) < 1970) return null;
  const fractionMs = Math.floor(Number(`0.${fraction ?? 0}`) * 1000);
  const awayMs = offsetMs(wall, offset, timeZone);
  if (Math.abs(awayMs) > FURTHEST_MINUTES * MINUTE_MS) return null;
  const ms = wallMs - awayMs + fractionMs;
  return ms < 0 ? null : utcTime(ms);
}

function padded(text: string): string {
  const [whole, year, between, ...rest] = SHORT_NUMBERS.exec(text) ?? [];
  if (whole === undefined) return text;
  const [month, day, , hour, minute, second] = rest.map((part) => part.padStart(2, '0'));
  return `${year}${between}${month}${between}${day} ${hour}:${minute}:${second}${text.slice(whole.length)}`;
}

function offsetMs(wall: string, offset: string | undefined, timeZone: string | undefined): number {
  if (offset !== undefined && offset.toUpperCase() !== 'Z') {
    // Three digits are one of hours and two of minutes (`-300`).
    const [, sign, hours, more] = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(offset) ?? [];
    const minutes = Number(hours) * 60 + Number(more ?? 0);
    return (sign === '-' ? -minutes : minutes) * MINUTE_MS;
  }
  if (offset !== undefined || timeZone === undefined || timeZone === 'UTC') return 0;
  // In the hour that occurs twice, use the second one: with the first, a live read would seem an hour old.
  const zoned = Temporal.PlainDateTime.from(wall.slice(0, 19)).toZonedDateTime(timeZone, {
    disambiguation: 'later',
  });
  return zoned.offsetNanoseconds / 1e6;
}

const END_OF_YEAR_9999_MS = 253_402_300_799_999;
const DIGITS_OF_UNITS = [10, 13, 16, 19];

/**
 * Seconds, milli-, micro- or nanoseconds since 1970, as a number or in digits, distinguished by their number
 * (`1720000000.123` too); null for anything else.
 */
export function epochTime(given: string | number | null | undefined): UtcTime | null {
  const [, digits = '', fraction = ''] =
    /^(\d{1,19})(?:\.(\d{1,9}))?$/.exec(String(given ?? '').trim()) ?? [];
  if (!DIGITS_OF_UNITS.includes(digits.length)) return null;
  const inMs = digits.length === 10 ? `${digits}${fraction.slice(0, 3).padEnd(3, '0')}` : digits.slice(0, 13);
  return utcTime(Number(inMs));
}

/** A moment of a maker who counts milliseconds since 1970; firmware that counts or writes otherwise is understood too. */
export const EpochMsSchema = z.union([z.number(), z.string().max(LONGEST)]).transform((given, context) => {
  const ms =
    typeof given === 'number' || /^\d{1,15}(?:\.\d+)?$/.test(given.trim()) ? Number(given) : Number.NaN;
  const counted = ms >= 0 && ms <= END_OF_YEAR_9999_MS ? utcTime(Math.floor(ms)) : null;
  const moment = epochTime(given) ?? counted ?? cameraTime(String(given));
  if (moment !== null) return moment;
  context.issues.push({ code: 'custom', message: 'expected milliseconds since 1970', input: given });
  return z.NEVER;
});
