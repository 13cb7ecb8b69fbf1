import type { PriceLine } from '../price-line.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../utc-time.ts';

type Language = 'is' | 'en';

/** A line of a price as people read it: what for, and how often or how long. */
export interface PriceLineText {
  what: string;
  /** Null: there is nothing more to say. */
  detail: string | null;
}

interface PriceWords {
  rules: Record<PriceLine['rule'], string>;
  caps: Record<NonNullable<PriceLine['capOf']>, string>;
  minutes: (n: number) => string;
  hours: (n: number) => string;
  days: (n: number) => string;
}

const PRICE_WORDS: Record<Language, PriceWords> = {
  en: {
    rules: {
      unit: 'Parking',
      'units-met': 'Already paid for',
      waived: 'Nothing to pay for this',
      free: 'Free time',
      step: 'Parking',
      day: 'Full day',
      'flat-rate': 'Fixed price',
      cap: 'Highest price reached',
      paid: 'Already paid',
      invoiced: 'On an invoice',
      'late-fee': 'Late payment fee',
      'service-fee': 'Service fee',
    },
    caps: {
      opening: 'no more for one period',
      week: 'no more for one week',
      visit: 'no more for one stay',
    },
    minutes: (n) => (n === 1 ? '1 minute' : `${n} minutes`),
    hours: (n) => (n === 1 ? '1 hour' : `${n} hours`),
    days: (n) => (n === 1 ? '1 day' : `${n} days`),
  },
  is: {
    rules: {
      unit: 'Bílastæði',
      'units-met': 'Þegar greitt fyrir',
      waived: 'Ekkert þarf að greiða fyrir þetta',
      free: 'Gjaldfrjáls tími',
      step: 'Bílastæði',
      day: 'Heill dagur',
      'flat-rate': 'Fast verð',
      cap: 'Hámarksverði náð',
      paid: 'Þegar greitt',
      invoiced: 'Á reikningi',
      'late-fee': 'Álag vegna síðbúinnar greiðslu',
      'service-fee': 'Þjónustugjald',
    },
    caps: {
      opening: 'ekki meira fyrir eitt tímabil',
      week: 'ekki meira fyrir eina viku',
      visit: 'ekki meira fyrir eina dvöl',
    },
    minutes: (n) => `${n} ${isOne(n) ? 'mínúta' : 'mínútur'}`,
    hours: (n) => `${n} klst.`,
    days: (n) => `${n} ${isOne(n) ? 'dagur' : 'dagar'}`,
  },
};

/**
 * A line of a price in plain words, as the kiosk and the receipt show it beside its amount. A name that the tariff
 * gives it comes before ours.
 */
export function priceLineText(line: PriceLine, language: Language): PriceLineText {
  const words = PRICE_WORDS[language];
  const { rule, label } = line;
  const named = label?.[language] ?? label?.['en'] ?? Object.values(label ?? {})[0];
  return { what: named ?? words.rules[rule], detail: detailOf(line, language) };
}

/** The same in one line of text. */
export function priceLineSentence(line: PriceLine, language: Language): string {
  const { what, detail } = priceLineText(line, language);
  return detail === null ? what : `${what}, ${detail}`;
}

/** A time in words, exactly: whole days, else whole hours, else minutes. */
export function durationText(minutes: number, language: Language): string {
  const words = PRICE_WORDS[language];
  const [perDay, perHour] = [DAY_MS / MINUTE_MS, HOUR_MS / MINUTE_MS];
  if (minutes >= perDay && minutes % perDay === 0) return words.days(minutes / perDay);
  if (minutes < perHour) return words.minutes(minutes);
  const rest = minutes % perHour;
  const hours = words.hours((minutes - rest) / perHour);
  return rest === 0 ? hours : `${hours} ${words.minutes(rest)}`;
}

function detailOf({ rule, units, minutes, capOf }: PriceLine, language: Language): string | null {
  const words = PRICE_WORDS[language];
  const often = Math.abs(units);
  switch (rule) {
    case 'unit':
    case 'units-met':
      // A unit is not a calendar day: it is said in hours.
      return often === 0 ? null : times(often, words.hours(24));
    case 'free':
      return durationText(often, language);
    case 'step':
      return minutes === undefined ? null : times(often, durationText(minutes, language));
    case 'day':
      return often > 1 ? words.days(often) : null;
    case 'flat-rate':
      return often > 1 ? `${often} ×` : null;
    case 'cap':
      return capOf === undefined ? null : words.caps[capOf];
    case 'waived':
    case 'paid':
    case 'invoiced':
    case 'late-fee':
    case 'service-fee':
      return null;
    default:
      return rule satisfies never;
  }
}

function times(often: number, what: string): string {
  return often === 1 ? what : `${often} × ${what}`;
}

/** Icelandic counts 1, 21, 31 … as one, but not 11. */
function isOne(n: number): boolean {
  return n % 10 === 1 && n % 100 !== 11;
}
