import { DAY_MS } from '@hlid/protocol/base/durations';
import { listPublicHolidays } from '../../money/holidays/public-holidays.ts';

const SATURDAY = 6;
const DAY_LENGTH = 'YYYY-MM-DD'.length;

/** The days on which banks work: not on weekends, and not on whole days of public holidays. */
export class WorkDays {
  readonly #holidays: ReadonlySet<string>;

  /** @param holidays `YYYY-MM-DD` */
  constructor(holidays: ReadonlySet<string>) {
    this.#holidays = holidays;
  }

  has(day: string): boolean {
    const weekday = new Date(Date.parse(day)).getUTCDay();
    return weekday !== 0 && weekday !== SATURDAY && !this.#holidays.has(day);
  }

  /** The day so many days of banks after a day. */
  after(day: string, days: number): string {
    let at = Date.parse(day);
    for (let left = days; left > 0; ) {
      at += DAY_MS;
      if (this.has(dayOf(at))) left--;
    }
    return dayOf(at);
  }
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, DAY_LENGTH);
}

/** The holidays of a country and a year take a moment to find, and do not change. */
const known = new Map<string, Promise<ReadonlySet<string>>>();

/**
 * The days on which banks of some countries work, from the year of a day until the year after. On a holiday that not all
 * of them have, some bank works. Half holidays, such as Christmas Eve from 13:00, are days of work.
 *
 * @param countries two letters each; holidays of a country that is not known are not known either
 */
export async function workDaysOf(countries: readonly string[], day: string): Promise<WorkDays> {
  const year = Number(day.slice(0, 4));
  const all = await Promise.all(
    countries.map(async (country) => {
      const years = await Promise.all([year, year + 1].map((one) => wholeHolidays(country, one)));
      return new Set(years.flatMap((days) => [...days]));
    }),
  );
  const [first = new Set<string>(), ...others] = all;
  return new WorkDays(new Set([...first].filter((one) => others.every((days) => days.has(one)))));
}

async function wholeHolidays(country: string, year: number): Promise<ReadonlySet<string>> {
  const key = `${country} ${year}`;
  const found = known.get(key) ?? findHolidays(country, year);
  known.set(key, found);
  return await found;
}

async function findHolidays(country: string, year: number): Promise<ReadonlySet<string>> {
  const holidays = await listPublicHolidays(country, undefined, year);
  return new Set(holidays.filter(({ from }) => from === null).map(({ date }) => date));
}
