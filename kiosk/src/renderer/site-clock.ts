import type { Language } from './state/kiosk-state.ts';
import type { Words } from './words/en.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** What the site's wall shows at a moment. */
interface Wall {
  /** `YYYY-MM-DD` */
  day: string;
  /** `HH:MM` */
  time: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function wallOf(at: Date, timeZone: string): Wall {
  let format = formats.get(timeZone);
  if (!format) {
    // Swedish writes a date and a time as ISO 8601 does.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
    formats.set(timeZone, format);
  }
  const [day = '', time = ''] = format.format(at).split(' ');
  return { day, time };
}

/** `HH:MM` on the site's wall, at a moment of `Date` or UTC text. */
export function timeText(at: Date | string, timeZone: string): string {
  return wallOf(new Date(at), timeZone).time;
}

/** The site's day at that moment, `YYYY-MM-DD`. */
export function dayOf(at: Date | string, timeZone: string): string {
  return wallOf(new Date(at), timeZone).day;
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
  const wall = Date.parse(`${day}T00:00:00Z`) + hour * HOUR_MS;
  // The zone's offset there is only known at the moment that is looked for: two steps come to it.
  let moment = wall;
  for (let step = 0; step < 2; step++) {
    const shown = wallOf(new Date(moment), timeZone);
    moment += wall - Date.parse(`${shown.day}T${shown.time}:00Z`);
  }
  return new Date(moment).toISOString();
}

/** The day in words, by itself: today, yesterday, else weekday and date. Browsers know no Icelandic. */
export function dayText(day: string, today: string, words: Words): string {
  const [yesterday] = daysUntil(today, 2).slice(1);
  if (day === today) return words.today;
  if (day === yesterday) return words.yesterday;
  const weekday = words.weekdays[(new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7] ?? '';
  return `${weekday} ${dateText(day, words)}`;
}

function dateText(day: string, words: Words): string {
  const date = new Date(`${day}T12:00:00Z`);
  return words.dayOfMonth(date.getUTCDate(), words.months[date.getUTCMonth()] ?? '');
}

/** Until when, with the day where it is another than today. */
export function untilText(at: string, now: Date, timeZone: string, words: Words): string {
  const [day, today] = [dayOf(at, timeZone), dayOf(now, timeZone)];
  const time = timeText(at, timeZone);
  return day === today ? words.leave.until(time) : words.leave.untilDay(dayText(day, today, words), time);
}

/** When a car came in, as a sentence. */
export function enteredText(at: string, now: Date, timeZone: string, words: Words): string {
  const day = dayText(dayOf(at, timeZone), dayOf(now, timeZone), words);
  return `${words.cameIn} ${momentText(at, day, now, timeZone, words)}`;
}

/** The same as short as it can be told: no weekday, and without the verb. */
export function shortEnteredText(at: string, now: Date, timeZone: string, words: Words): string {
  const [day, today] = [dayOf(at, timeZone), dayOf(now, timeZone)];
  const short = isNear(day, today) ? dayText(day, today, words) : dateText(day, words);
  return momentText(at, short, now, timeZone, words);
}

function momentText(at: string, dayInWords: string, now: Date, timeZone: string, words: Words): string {
  const near = isNear(dayOf(at, timeZone), dayOf(now, timeZone));
  return (near ? words.at : words.onAt)(dayInWords, timeText(at, timeZone));
}

function isNear(day: string, today: string): boolean {
  return daysUntil(today, 2).includes(day);
}

/** How long it is between two moments, in the two largest of days, hours and minutes. */
export function lengthText(from: string, to: Date, words: Words): string {
  const minutes = Math.max(0, Math.floor((to.getTime() - Date.parse(from)) / MINUTE_MS));
  const parts = [
    [Math.floor(minutes / 1440), words.duration.days],
    [Math.floor(minutes / 60) % 24, words.duration.hours],
    [minutes % 60, words.duration.minutes],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return words.duration.minutes(0);
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, text]) => text(count))
    .join(' ');
}

/** A rate of VAT as people write it, such as `24%` or `11,5%`. */
export function rateText(rate: number, language: Language): string {
  const text = String(Math.round(rate * 100) / 100);
  return `${language === 'is' ? text.replace('.', ',') : text}%`;
}
