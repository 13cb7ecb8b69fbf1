import { MONTHS_IS } from '@hlid/protocol/site-link/site-wall';
import { LANGUAGE, wordsIn } from '../words/words.ts';

export const WALL_WORDS = wordsIn(
  {
    day: 'dd/mm/yyyy',
    moment: 'dd/mm/yyyy hh:mm',
    time: 'hh:mm',
    noDay: 'Write the day as 28/11/2026.',
    noMoment: 'Write day and time as 28/11/2026 08:00.',
    noTime: 'Write the time as 08:00.',
    choose: 'Choose a day',
    before: 'Month before',
    after: 'Month after',
    months: 'January February March April May June July August September October November December'.split(
      ' ',
    ),
  },
  {
    day: 'dd.mm.áááá',
    moment: 'dd.mm.áááá kk:mm',
    time: 'kk:mm',
    noDay: 'Skrifaðu daginn eins og 28.11.2026.',
    noMoment: 'Skrifaðu dag og tíma eins og 28.11.2026 08:00.',
    noTime: 'Skrifaðu tímann eins og 08:00.',
    choose: 'Velja dag',
    before: 'Fyrri mánuður',
    after: 'Næsti mánuður',
    months: MONTHS_IS,
  },
);

/** A day (`YYYY-MM-DD`) as the language of the page writes it in a field. */
export function dayText(day: string, language: 'is' | 'en' = LANGUAGE): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return [date, month, year].join(language === 'is' ? '.' : '/');
}

/**
 * A day that somebody has typed, day before month: `28.11.2026`, `28/11`, `28112026`, or as ISO 8601.
 *
 * @param today `YYYY-MM-DD`; its year is meant where none is typed
 * @returns null: it is none
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
