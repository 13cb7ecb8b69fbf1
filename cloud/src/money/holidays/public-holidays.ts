import { DAY_MS } from '@hlid/protocol/base/durations';
import type { OfficeLanguage } from '@hlid/protocol/base/language';
import type { HolidaysTypes } from 'date-holidays';

/** A country whose public holidays are known. */
export interface HolidayCountry {
  /** Two letters, by ISO 3166. */
  country: string;
  name: Record<OfficeLanguage, string>;
  /** Parts of the country with holidays of their own. */
  regions: { region: string; name: string }[];
}

/** A day on which a country has a public holiday. */
export interface PublicHoliday {
  date: string;
  /** The day as a tariff names it: `12-25` where the holiday has the same date every year, else the date. */
  day: string;
  /** The time at which the holiday begins, such as `13:00`; null: it is the whole day. */
  from: string | null;
  name: Record<OfficeLanguage, string>;
}

type Found = HolidaysTypes.Holiday;

/** The library and its data take 20 MB and a third of a second to load, and few processes need them. */
async function loadCalendar() {
  return (await import('date-holidays')).default;
}

export async function listHolidayCountries(): Promise<HolidayCountry[]> {
  const Calendar = await loadCalendar();
  const calendar = new Calendar();
  const [icelandic, english] = [namesIn('is'), namesIn('en')];
  return Object.entries(calendar.getCountries('en')).map(([country, name]) => ({
    country,
    name: { is: icelandic.of(country) ?? name, en: english.of(country) ?? name },
    regions: Object.entries(calendar.getStates(country, 'en') ?? {}).map(([region, regionName]) => ({
      region,
      name: regionName,
    })),
  }));
}

/** The public holidays of a year in order; none for a country or a region that is not known. */
export async function listPublicHolidays(
  country: string,
  region: string | undefined,
  year: number,
): Promise<PublicHoliday[]> {
  const Calendar = await loadCalendar();
  const calendar = region === undefined ? new Calendar(country) : new Calendar(country, region);
  const english = calendar.getHolidays(year, 'en');
  const icelandic = calendar.getHolidays(year, 'is');
  return english
    .flatMap((holiday, place) => {
      const name = { is: icelandic[place]?.name ?? holiday.name, en: holiday.name };
      return holiday.type === 'public' ? daysOf(holiday).map((day) => ({ ...day, name })) : [];
    })
    .toSorted((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0));
}

/** The days of a holiday. Most last one day, some several. */
function daysOf({ date, start, end, rule }: Found): Omit<PublicHoliday, 'name'>[] {
  const [first = '', time = ''] = date.split(' ');
  const from = time.slice(0, 5);
  const count = Math.max(1, Math.round((end.getTime() - start.getTime()) / DAY_MS));
  // The rule of a holiday with one date is the date itself; other rules depend on Easter, on weekdays or on the moon.
  const isEveryYear = /^\d\d-\d\d$/.test(rule);
  return Array.from({ length: count }, (_, place) => {
    const day = new Date(Date.parse(`${first}T00:00:00Z`) + place * DAY_MS).toISOString().slice(0, 10);
    return {
      date: day,
      day: isEveryYear ? day.slice(5) : day,
      from: place > 0 || from === '00:00' ? null : from,
    };
  });
}

function namesIn(language: OfficeLanguage): Intl.DisplayNames {
  return new Intl.DisplayNames(language, { type: 'region' });
}
