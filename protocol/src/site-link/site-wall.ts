import { MINUTE_MS } from '../base/durations.ts';
import { dateFormat } from '../base/formats.ts';
import { type Language, LOCALES } from '../base/language.ts';

/**
 * The clock on a site's wall, for pages: by `Intl` alone, without the calendar of site-time.ts, which is larger than most
 * pages may be.
 */
export interface SiteWall {
  /** `YYYY-MM-DD` */
  day: string;
  /** `HH:MM` */
  time: string;
}

/** Chromium comes without Icelandic. */
export const MONTHS_IS =
  'janúar febrúar mars apríl maí júní júlí ágúst september október nóvember desember'.split(' ');

export function siteWall(at: Date, timeZone: string): SiteWall {
  // Swedish writes a date and a time as ISO 8601 does.
  const format = dateFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  const [day = '', time = ''] = format.format(at).split(' ');
  return { day, time };
}

/**
 * The moment at which the wall clock shows this many minutes since the beginning of that day, as UTC text.
 */
export function momentAtWall(day: string, minutes: number, timeZone: string): string {
  const wall = Date.parse(`${day}T00:00:00Z`) + minutes * MINUTE_MS;
  // The zone's offset is known only at the moment that is searched for: two steps find it.
  let moment = wall;
  for (let step = 0; step < 2; step++) {
    const shown = siteWall(new Date(moment), timeZone);
    moment += wall - Date.parse(`${shown.day}T${shown.time}:00Z`);
  }
  return new Date(moment).toISOString();
}

/** A time of the wall as it is written: in Danish `08.22`. */
export function clockText(time: string, language: Language): string {
  return language === 'da' ? time.replace(':', '.') : time;
}

/** Day and month; the number stays with the next word. */
export function dateText(day: string, language: Language): string {
  const noon = new Date(`${day}T12:00:00Z`);
  if (language === 'is') return `${noon.getUTCDate()}.\u00a0${MONTHS_IS[noon.getUTCMonth()]}`;
  const format = dateFormat(LOCALES[language], { day: 'numeric', month: 'long', timeZone: 'UTC' });
  return format.format(noon).replace(' ', '\u00a0');
}
