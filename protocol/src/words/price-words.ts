import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/durations.ts';
import type { Language } from '../base/language.ts';
import { formatMoney } from '../base/money.ts';
import type { PriceLine } from '../tariff/price-line.ts';
import type { PriceTexts } from './price/price-texts.ts';

/** A line of a price as people read it: what for, and how often or how long. */
export interface PriceLineText {
  what: string;
  /** Null: there is no more text. */
  detail: string | null;
  /** The price of one of several, and that of a day always; null: the amount is enough. */
  rate: string | null;
}

/** The language of a price, and its texts. */
export interface PriceLanguage {
  language: Language;
  words: PriceTexts;
}

/**
 * A line of a price in plain words, as the kiosk and the receipt show it beside its amount. A name that the tariff
 * gives it comes before ours.
 */
export function priceLineText(
  line: PriceLine,
  currency: string,
  { language, words }: PriceLanguage,
): PriceLineText {
  const { rule, label } = line;
  const named = label?.[language] ?? label?.['en'] ?? Object.values(label ?? {})[0];
  // A page may be older than the program that priced the stay, and not know the rule.
  const what = named ?? (rule in words.rules ? words.rules[rule] : words.rules.unit);
  const detail = detailOf(line, words);
  return {
    what: rule === 'cap' && detail !== null ? `${what}:` : what,
    detail,
    rate: rateOf(line, currency, { language, words }),
  };
}

/** The same in one line of text. */
export function priceLineSentence(line: PriceLine, currency: string, language: PriceLanguage): string {
  const { what, detail, rate } = priceLineText(line, currency, language);
  return [what, detail, rate]
    .filter((part) => part !== null)
    .join(', ')
    .replace(':,', ':');
}

/** A time in words, exactly: whole days, else whole hours, else minutes. */
export function durationText(minutes: number, words: PriceTexts): string {
  const [perDay, perHour] = [DAY_MS / MINUTE_MS, HOUR_MS / MINUTE_MS];
  if (minutes >= perDay && minutes % perDay === 0) return words.days({ n: minutes / perDay });
  if (minutes < perHour) return words.minutes({ n: minutes });
  const rest = minutes % perHour;
  const hours = words.hours({ n: (minutes - rest) / perHour });
  return rest === 0 ? hours : `${hours} ${words.minutes({ n: rest })}`;
}

function rateOf(
  { rule, units, unitMinor }: PriceLine,
  currency: string,
  { language, words }: PriceLanguage,
): string | null {
  if (unitMinor === undefined || units < 1) return null;
  const amount = formatMoney({ amountMinor: unitMinor, currency }, language);
  if (rule === 'unit') return words.perDay({ amount });
  return units > 1 ? words.each({ amount }) : null;
}

function detailOf({ rule, units, minutes, capOf }: PriceLine, words: PriceTexts): string | null {
  const often = Math.abs(units);
  switch (rule) {
    case 'unit':
    case 'units-met':
      // A unit is not a calendar day: it is written in hours.
      return often === 0 ? null : times(often, words.hours({ n: 24 }));
    case 'free':
      return durationText(often, words);
    case 'step':
      return minutes === undefined ? null : times(often, durationText(minutes, words));
    case 'day':
      return often > 1 ? words.days({ n: often }) : null;
    case 'flat-rate':
      return often > 1 ? `${often} ×` : null;
    case 'cap':
      return capOf === undefined ? null : (words.caps[capOf] ?? null);
    case 'waived':
    case 'paid':
    case 'invoiced':
    case 'late-fee':
    case 'service-fee':
      return null;
    default:
      rule satisfies never;
      return null;
  }
}

function times(often: number, what: string): string {
  return often === 1 ? what : `${often} × ${what}`;
}
