import { type Language, LOCALES } from '@hlid/protocol/language';
import { DAY_MS, MINUTE_MS } from '@hlid/protocol/utc-time';
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

/** How long it is between two moments, in the two largest of days, hours and minutes. */
export function lengthText(from: string, to: string | Date, language: Language): string {
  const { length } = wordsOf(language);
  const minutes = Math.max(0, Math.floor((new Date(to).getTime() - Date.parse(from)) / MINUTE_MS));
  const parts = [
    [Math.floor(minutes / 1440), length.days],
    [Math.floor(minutes / 60) % 24, length.hours],
    [minutes % 60, length.minutes],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return length.minutes(0);
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, text]) => text(count))
    .join(' ');
}

/** A rate of VAT, such as `24%` or `11,5%`. */
export function rateText(rate: number, language: Language): string {
  const format = { style: 'percent', maximumFractionDigits: 2 } as const;
  if (language === 'is') return `${String(Math.round(rate * 100) / 100).replace('.', ',')}%`;
  return new Intl.NumberFormat(LOCALES[language], format).format(rate / 100);
}

function clockText(time: string, language: Language): string {
  return language === 'da' ? time.replace(':', '.') : time;
}
