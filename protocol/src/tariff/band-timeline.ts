import { DAY_MS, MINUTE_MS } from '../base/durations.ts';
import { dailyWindow } from '../base/site-time.ts';
import { millis, utcTime } from '../base/utc-time.ts';
import type { TariffBand, TariffWindow } from './tariff-shape.ts';

/** A period in which one band or none is charged; in milliseconds since 1970, without its end. */
export interface BandStretch {
  from: number;
  to: number;
  band: TariffBand | null;
  /** The day on which the band's window opened. Pieces with the same day are one opening. */
  openingDay: number;
  /** The start of the band, which has been charged without a break since then. */
  runFrom: number;
}

interface Opening {
  from: number;
  to: number;
  /** The day on which it opens, counted from 1 January 1970; 0 for a band without a window. */
  day: number;
}

/** The time zone and the holidays of a site. */
export interface SiteCalendar {
  timeZone: string;
  /** Dates of one year (2026-12-24) or of every year (12-24). */
  holidays: readonly string[];
}

/** The bands from `from` on, computed only as far as needed. */
export interface BandTimeline {
  at(moment: number): BandStretch;
}

export function createBandTimeline(
  bands: readonly TariffBand[],
  from: number,
  to: number,
  calendar: SiteCalendar,
): BandTimeline {
  const stretches = joined(stretchesOf(bands, from, to, calendar));
  const known: BandStretch[] = [];
  let cursor = 0;

  return {
    at(moment) {
      while (cursor > 0 && (known[cursor]?.from ?? Infinity) > moment) cursor--;
      for (; ; cursor++) {
        const stretch = known[cursor] ?? next();
        if (stretch === undefined) return { from: to, to: Infinity, band: null, openingDay: 0, runFrom: to };
        if (stretch.to > moment) return stretch;
      }
    },
  };

  function next(): BandStretch | undefined {
    const { value, done } = stretches.next();
    if (done) return undefined;
    const last = known.at(-1);
    if (last && last.band === value.band) value.runFrom = last.runFrom;
    known.push(value);
    return value;
  }
}

/** Pieces of one opening of a band that follow each other are one stretch. */
function* joined(stretches: Iterable<BandStretch>): Generator<BandStretch, undefined> {
  let last: BandStretch | undefined;
  for (const stretch of stretches) {
    if (last && last.band === stretch.band && last.openingDay === stretch.openingDay) {
      last.to = stretch.to;
    } else {
      if (last) yield last;
      last = stretch;
    }
  }
  if (last) yield last;
}

/** The openings of a band, of which one is read at a time. */
interface BandReader {
  band: TariffBand;
  openings: Generator<Opening, undefined>;
  opening: Opening | undefined;
}

function* stretchesOf(
  bands: readonly TariffBand[],
  from: number,
  to: number,
  calendar: SiteCalendar,
): Generator<BandStretch, undefined> {
  const readers = bands.map((band): BandReader => {
    // A minute more on both sides: an opening that is cut there has another end or beginning than its window.
    const openings = openingsOf(band.window, from - MINUTE_MS, to + MINUTE_MS, calendar);
    return { band, openings, opening: openings.next().value };
  });
  for (let at = from; at < to; ) {
    for (const reader of readers) {
      while (reader.opening && reader.opening.to <= at) reader.opening = reader.openings.next().value;
    }
    let until = to;
    let found: { band: TariffBand; opening: Opening } | undefined;
    for (const { band, opening } of readers) {
      if (!opening) continue;
      const lastMinute = opening.to - MINUTE_MS;
      if (opening.from > at) until = Math.min(until, opening.from);
      else if (at < lastMinute) {
        // Whether another window begins with the last minute is asked when that comes.
        found = { band, opening };
        until = Math.min(until, lastMinute);
        break;
      } else if (!beginsAt(readers, lastMinute, band)) {
        found = { band, opening };
        until = Math.min(until, opening.to);
        break;
      } else until = Math.min(until, opening.to);
    }
    yield {
      from: at,
      to: until,
      band: found?.band ?? null,
      openingDay: found?.opening.day ?? 0,
      runFrom: at,
    };
    at = until;
  }
}

/** Whether the window of another band begins then. */
function beginsAt(readers: readonly BandReader[], moment: number, band: TariffBand): boolean {
  return readers.some(
    (other) => other.band !== band && other.band.window !== undefined && other.opening?.from === moment,
  );
}

/**
 * The openings of a window between `from` and `to`, in order. An opening with a change of summer time is split into
 * pieces.
 */
export function* openingsOf(
  window: TariffWindow | undefined,
  from: number,
  to: number,
  { timeZone, holidays }: SiteCalendar,
): Generator<Opening, undefined> {
  if (window === undefined) {
    yield { from, to, day: 0 };
    return;
  }
  const { weekdays, dates } = window;
  for (const opening of dailyWindow(utcTime(from), utcTime(to), window, timeZone)) {
    if (weekdays && !weekdays.includes(opening.weekday)) continue;
    if (dates || window.holidays) {
      const date = new Date(opening.day * DAY_MS).toISOString().slice(0, 10);
      if (dates && !dates.some((range) => isWithin(date, range))) continue;
      const isHoliday = holidays.includes(date) || holidays.includes(date.slice(5));
      if (window.holidays && isHoliday !== (window.holidays === 'only')) continue;
    }
    yield { from: millis(opening.from), to: millis(opening.to), day: opening.day };
  }
}

/** Dates without a year apply to every year, and may continue into the next. */
function isWithin(date: string, { from, to }: { from: string; to: string }): boolean {
  const day = from.length > 5 ? date : date.slice(5);
  return from <= to ? from <= day && day <= to : from <= day || day <= to;
}
