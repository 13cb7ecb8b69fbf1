import { LANGUAGE, wordsOf } from '../words/words.ts';

export const WALL_WORDS = wordsOf('wallWords');

/** A day (`YYYY-MM-DD`) as the language of the page writes it in a field. */
export function dayText(day: string, language: 'is' | 'en' = LANGUAGE): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return [date, month, year].join(language === 'is' ? '.' : '/');
}

/**
 * A typed day, day before month: `28.11.2026`, `28/11`, `28112026`, or as ISO 8601.
 *
 * @param today `YYYY-MM-DD`; its year is meant where none is typed
 * @returns null: the text is no day
 */
export function parseDay(text: string, today: string): string | null {
  const typed = text.trim();
  const iso = /^(\d{4})-(\d\d?)-(\d\d?)$/.exec(typed);
  if (iso) return realDay(iso[1], iso[2], iso[3]);
  const bare = /^(\d\d)(\d\d)(\d{4})$/.exec(typed);
  if (bare) return realDay(bare[3], bare[2], bare[1]);
  const parts = /^(\d\d?)[./ -]+(\d\d?)(?:[./ -]+(\d{4}|\d\d)?)?$/.exec(typed);
  if (!parts) return null;
  const [, date, month, year = today.slice(0, 4)] = parts;
  return realDay(year.length === 2 ? `20${year}` : year, month, date);
}

/** `HH:MM` of `8:00`, `0800`, `8.00` or `8`; null: it is no time. */
export function parseTime(text: string): string | null {
  const [, hours, minutes = '00'] = /^(\d\d?)(?:[:.]?(\d\d))?$/.exec(text.trim()) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return null;
  return `${hours.padStart(2, '0')}:${minutes}`;
}

/** Parses the end of daily hours, which may be `24:00`. */
export function parseEndTime(text: string): string | null {
  return /^24([:.]?00)?$/.test(text.trim()) ? '24:00' : parseTime(text);
}

/** Parses day and time typed in one field; a day alone begins at midnight. */
export function parseWall(text: string, today: string): { day: string; time: string } | null {
  const [, first = '', , second] = /^(.*?)([T ]+(\d\d?[:.]\d\d))?(?::\d\d)?$/.exec(text.trim()) ?? [];
  const day = parseDay(first, today);
  const time = parseTime(second ?? '00:00');
  return day === null || time === null ? null : { day, time };
}

function realDay(year = '', month = '', date = ''): string | null {
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  const at = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(at.getTime()) || !at.toISOString().startsWith(day) ? null : day;
}
