import { type Language, LOCALES } from '@hlid/protocol/language';
import { DAY_MS } from '@hlid/protocol/utc-time';
import { wordsOf } from './words/words.ts';

/** Not every browser knows Icelandic. */
const MONTHS_IS = 'janúar febrúar mars apríl maí júní júlí ágúst september október nóvember desember'.split(
  ' ',
);

/** What the clock on the site's wall shows. */
interface Wall {
  /** `YYYY-MM-DD` */
  day: string;
  /** `HH:MM` */
  time: string;
}

function wallOf(at: Date, timeZone: string): Wall {
  // Swedish writes a date and a time as ISO 8601 does.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  const [day = '', time = ''] = format.format(at).split(' ');
  return { day, time };
}

/** The site's day, `YYYY-MM-DD`. */
export function dayOf(at: Date, timeZone: string): string {
  return wallOf(at, timeZone).day;
}

/** The moment at which the wall shows that day and time, as UTC text. */
export function momentOf(day: string, time: string, timeZone: string): string {
  const wall = Date.parse(`${day}T${time}:00Z`);
  // The zone's offset is only known at the moment that is looked for: two steps come to it.
  let moment = wall;
  for (let step = 0; step < 2; step++) {
    const shown = wallOf(new Date(moment), timeZone);
    moment += wall - Date.parse(`${shown.day}T${shown.time}:00Z`);
  }
  return new Date(moment).toISOString();
}

/** A day in words: today, yesterday, else its date. */
export function dayText(day: string, today: string, language: Language): string {
  const { moment } = wordsOf(language);
  const daysAgo = (Date.parse(today) - Date.parse(day)) / DAY_MS;
  if (daysAgo === 0) return moment.today;
  return daysAgo === 1 ? moment.yesterday : dateText(day, language);
}

function dateText(day: string, language: Language): string {
  const noon = new Date(`${day}T12:00:00Z`);
  if (language === 'is') return `${noon.getUTCDate()}.\u00a0${MONTHS_IS[noon.getUTCMonth()]}`;
  const format = { day: 'numeric', month: 'long', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(LOCALES[language], format).format(noon).replace(' ', '\u00a0');
}

/** A moment by the site's clock, such as `today at 08:22`. */
export function momentText(at: string, now: Date, timeZone: string, language: Language): string {
  const { day, time } = wallOf(new Date(at), timeZone);
  return wordsOf(language).moment.at(dayText(day, dayOf(now, timeZone), language), clockText(time, language));
}

/** Until when: the time, with the day where it is another than today. */
export function untilText(at: string, now: Date, timeZone: string, language: Language): string {
  const { day, time } = wallOf(new Date(at), timeZone);
  const shown = clockText(time, language);
  const { paid } = wordsOf(language);
  return day === dayOf(now, timeZone) ? paid.until(shown) : paid.untilDay(dateText(day, language), shown);
}

function clockText(time: string, language: Language): string {
  return language === 'da' ? time.replace(':', '.') : time;
}
