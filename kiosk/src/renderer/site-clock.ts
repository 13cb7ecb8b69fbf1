import { DAY_MS } from '@hlid/protocol/base/durations';
import { dateFormat } from '@hlid/protocol/base/formats';
import { type Language, LOCALES } from '@hlid/protocol/base/language';
import { WEEKDAYS_IS } from '@hlid/protocol/base/weekdays/is';
import { weekdayName } from '@hlid/protocol/base/weekdays/weekday-name';
import { clockText, dateText, momentAtWall, siteWall } from '@hlid/protocol/site-link/site-wall';
import { wordsOf } from './words/words.ts';

/** The time on the site's wall, such as `08:22`, in Danish `08.22`. */
export function timeText(at: Date | string, timeZone: string, language: Language): string {
  return clockText(siteWall(new Date(at), timeZone).time, language);
}

/** The hour on the site's wall, 0 to 23. */
export function hourOf(at: Date, timeZone: string): number {
  return Number(siteWall(at, timeZone).time.slice(0, 2));
}

/** The site's day at that moment, `YYYY-MM-DD`. */
export function dayOf(at: Date | string, timeZone: string): string {
  return siteWall(new Date(at), timeZone).day;
}

/** Today and the days before it, newest first. */
export function daysUntil(today: string, count: number): string[] {
  const noon = Date.parse(`${today}T12:00:00Z`);
  return Array.from({ length: count }, (_, back) =>
    new Date(noon - back * DAY_MS).toISOString().slice(0, 10),
  );
}

/** The moment at which the wall shows that hour (24: the next midnight) of that day, as UTC text. */
export function momentOf(day: string, hour: number, timeZone: string): string {
  return momentAtWall(day, hour * 60, timeZone);
}

/** The day in words, by itself: today, yesterday, else weekday and date. */
export function dayText(day: string, today: string, language: Language): string {
  const words = wordsOf(language);
  const [yesterday] = daysUntil(today, 2).slice(1);
  if (day === today) return words.today;
  return day === yesterday ? words.yesterday : weekdayDate(day, language);
}

function weekdayDate(day: string, language: Language): string {
  return wordsOf(language).weekdayDate({
    weekday: weekdayText(day, language),
    date: dateText(day, language),
  });
}

/** A day with its weekday, and without. */
function dayForms(day: string, language: Language): Record<string, string> {
  return { ...formsOf(weekdayDate(day, language)), date: dateText(day, language) };
}

/** A day as languages need it in a sentence: Spanish without a comma, Icelandic after “on”, “by” and “until”. */
function formsOf(day: string): Record<string, string> {
  return {
    base: day,
    plain: day.replace(',', ''),
    on: day.replace('dagur', 'daginn'),
    by: day.replace('dagur', 'dag'),
    until: day.replace('dagur', 'dags'),
  };
}

function weekdayText(day: string, language: Language): string {
  const noon = new Date(`${day}T12:00:00Z`);
  // Chromium comes without Icelandic.
  if (language === 'is') return weekdayName(WEEKDAYS_IS.long, noon.getUTCDay() || 7);
  return dateFormat(LOCALES[language], { weekday: 'long', timeZone: 'UTC' }).format(noon);
}

/** The end of a period, with the day if it is not today. */
export function untilText(at: string, now: Date, timeZone: string, language: Language): string {
  const { leave } = wordsOf(language);
  const day = dayOf(at, timeZone);
  const time = timeText(at, timeZone, language);
  if (day === dayOf(now, timeZone)) return leave.until({ time });
  return leave.untilDay({ when: dayForms(day, language), time });
}

/** The time by which to drive out, as a sentence, with the day if it is not today. */
export function leaveByText(at: string, now: Date, timeZone: string, language: Language): string {
  const words = wordsOf(language);
  const day = dayOf(at, timeZone);
  const time = timeText(at, timeZone, language);
  if (day === dayOf(now, timeZone)) return words.leaveUntil({ time });
  return words.leaveUntilDay({ when: dayForms(day, language), time });
}

/** When a car came in, as a sentence. */
export function enteredText(at: string, now: Date, timeZone: string, language: Language): string {
  const day = dayText(dayOf(at, timeZone), dayOf(now, timeZone), language);
  return `${wordsOf(language).cameIn} ${momentText(at, day, now, timeZone, language)}`;
}

/** The same in short: no weekday, and without the verb. */
export function shortEnteredText(at: string, now: Date, timeZone: string, language: Language): string {
  const [day, today] = [dayOf(at, timeZone), dayOf(now, timeZone)];
  const short = isNear(day, today) ? dayText(day, today, language) : dateText(day, language);
  return momentText(at, short, now, timeZone, language);
}

function momentText(at: string, dayInWords: string, now: Date, timeZone: string, language: Language): string {
  const words = wordsOf(language);
  const near = isNear(dayOf(at, timeZone), dayOf(now, timeZone));
  const time = timeText(at, timeZone, language);
  return near
    ? words.at({ when: dayInWords.toLowerCase(), time })
    : words.onAt({ when: formsOf(dayInWords), time });
}

function isNear(day: string, today: string): boolean {
  return daysUntil(today, 2).includes(day);
}
