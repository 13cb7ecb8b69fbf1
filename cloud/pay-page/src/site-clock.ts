import { DAY_MS } from '@hlid/protocol/base/durations';
import type { Language } from '@hlid/protocol/base/language';
import { clockText, dateText, momentAtWall, siteWall } from '@hlid/protocol/site-link/site-wall';
import { wordsOf } from './words/words.ts';

/** The site's day, `YYYY-MM-DD`. */
export function dayOf(at: Date, timeZone: string): string {
  return siteWall(at, timeZone).day;
}

/** The moment at which the wall shows that day and time, as UTC text. */
export function momentOf(day: string, time: string, timeZone: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return momentAtWall(day, hours * 60 + minutes, timeZone);
}

/** A day in words: today, yesterday, else its date. */
export function dayText(day: string, today: string, language: Language): string {
  const { moment } = wordsOf(language);
  const daysAgo = (Date.parse(today) - Date.parse(day)) / DAY_MS;
  if (daysAgo === 0) return moment.today;
  return daysAgo === 1 ? moment.yesterday : dateText(day, language);
}

/** A moment by the site's clock, such as `today at 08:22`. */
export function momentText(at: string, now: Date, timeZone: string, language: Language): string {
  const { day, time } = siteWall(new Date(at), timeZone);
  return wordsOf(language).moment.at({
    day: dayText(day, dayOf(now, timeZone), language),
    time: clockText(time, language),
  });
}

/** The end of a period: the time, with the day if it is not today. */
export function untilText(at: string, now: Date, timeZone: string, language: Language): string {
  const { day, time } = siteWall(new Date(at), timeZone);
  const shown = clockText(time, language);
  const { paid } = wordsOf(language);
  return day === dayOf(now, timeZone)
    ? paid.until({ time: shown })
    : paid.untilDay({ day: dateText(day, language), time: shown });
}
