import { DAY_MINUTES } from '../base/durations.ts';
import { dateFormat } from '../base/formats.ts';
import { byLanguage, type Language, LOCALES } from '../base/language.ts';
import { formatMoney } from '../base/money.ts';
import { weekdayName } from '../base/weekdays/weekday-name.ts';
import { WEEKDAYS } from '../base/weekdays/weekdays.ts';
import { type Product, pricingProduct } from '../tariff/product.ts';
import type {
  Tariff,
  TariffBand,
  TariffFlatRate,
  TariffRates,
  TariffStep,
  TariffWindow,
} from '../tariff/tariff-shape.ts';
import { BOARD_WORDS, type BoardWords } from './board/board-words.ts';
import { priceTexts } from './price/price-texts.ts';

/** The number of lines for which a board or a screen has room. */
const MAX_LINES = 5;

/** A price in a few short lines, in each language: for drivers who have not typed a plate yet. */
export type PriceBoard = Record<Language, string[]>;

export interface BoardTerms {
  currency: string;
  /** The site's grace period, for tariffs that set none. */
  entryGraceMinutes: number;
  /** The channel where the terms are read: its fee is added. Absent: a sign for all ways to pay. */
  channel?: 'kiosk' | 'online';
}

/** The price of a stay at a site by the products that are sold there; null: nothing has a price. */
export function priceBoard(products: readonly Product[], terms: BoardTerms): PriceBoard | null {
  const light = pricingProduct(products, 'light', terms.currency);
  if (light === undefined) return null;
  const heavy = pricingProduct(products, 'heavy', terms.currency) ?? light;
  return byLanguage((language) => {
    const lines = productLines(light, terms, language);
    const others = heavy.id === light.id ? [] : productLines(heavy, terms, language);
    const { large } = BOARD_WORDS[language];
    // The prices of large vehicles are left to the plate where they take more than a line.
    const [only, ...rest] = others.filter((line) => !lines.includes(line));
    const largeLine = only !== undefined && rest.length === 0 ? [`${large}: ${only}`] : [];
    const isWhole = rest.length === 0 && !hasClasses(light);
    return shortened([...lines, ...largeLine], isWhole, language);
  });
}

function hasClasses({ config }: Product): boolean {
  return (config.tariff?.classes.length ?? 0) > 0;
}

/** The lines for which there is room, and a note that there are more. */
function shortened(lines: string[], isWhole: boolean, language: Language): string[] {
  if (isWhole && lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES - 1), BOARD_WORDS[language].more];
}

function productLines(product: Product, terms: BoardTerms, language: Language): string[] {
  const { config, currency, type, priceMinor } = product;
  const money = (amountMinor: number) => formatMoney({ amountMinor, currency }, language);
  const words = BOARD_WORDS[language];
  const { tariff, startTime, endTime } = config;
  if (tariff !== undefined) return tariffLines(tariff, terms, { money, language });
  const price =
    type === 'visit'
      ? words.perStay({ amount: money(priceMinor) })
      : priceTexts(language).perDay({ amount: money(priceMinor) });
  const when = timesText({ startTime, endTime });
  return [
    ...freeLines(undefined, terms.entryGraceMinutes, language),
    when === '' ? price : `${when}: ${price}`,
    ...(when === '' ? [] : [`${words.otherTimes}: ${words.free}`]),
  ];
}

interface Voice {
  money: (amountMinor: number) => string;
  language: Language;
}

function tariffLines(tariff: Tariff, terms: BoardTerms, voice: Voice): string[] {
  const { free, entryGraceMinutes = terms.entryGraceMinutes, serviceFees } = tariff;
  const fee = terms.channel && serviceFees[terms.channel];
  return [
    ...freeLines(free, entryGraceMinutes, voice.language),
    ...ratesLines(tariff, voice),
    ...(fee ? [`${priceTexts(voice.language).rules['service-fee']}: ${voice.money(fee)}`] : []),
  ];
}

function freeLines(free: Tariff['free'], graceMinutes: number, language: Language): string[] {
  const words = BOARD_WORDS[language];
  if (free?.when === 'always') return [words.firstFree({ length: shortLength(free.minutes, words) })];
  const minutes = Math.max(free?.minutes ?? 0, graceMinutes);
  return minutes === 0 ? [] : [words.freeUpTo({ length: shortLength(minutes, words) })];
}

function ratesLines({ bands, day, caps, flatRates }: TariffRates, { money, language }: Voice): string[] {
  const words = BOARD_WORDS[language];
  const voice = { money, language };
  const isAlwaysPriced = bands.some(
    ({ window }) => window === undefined || windowText(window, language) === '',
  );
  const dayPrice = day?.prices.find(({ fromDay }) => fromDay === 1)?.priceMinor;
  const dayLine = (amount: string) =>
    bands.length === 0 ? priceTexts(language).perDay({ amount }) : words.capDay({ amount });
  return [
    ...bands.map((band, place) => bandLine(band, { isOnly: place === 0 && bands.length === 1, voice })),
    ...(bands.length > 0 && !isAlwaysPriced && dayPrice === undefined
      ? [`${words.otherTimes}: ${words.free}`]
      : []),
    ...(dayPrice === undefined ? [] : [dayLine(money(dayPrice))]),
    ...(caps.weekMinor === undefined ? [] : [words.capWeek({ amount: money(caps.weekMinor) })]),
    ...(caps.visitMinor === undefined ? [] : [words.capStay({ amount: money(caps.visitMinor) })]),
    ...flatRates.map((rate) => {
      const amount = money(rate.priceMinor);
      const name = labelOf(rate.label, language) ?? flatTimes(rate, language);
      return name === '' ? words.perStay({ amount }) : `${name}: ${amount}`;
    }),
  ];
}

/** When a stay at a flat rate begins and ends; empty: at any time. */
function flatTimes({ entry, exit, within, untilNext }: TariffFlatRate, language: Language): string {
  const weekend = within === 'weekend' ? weekdaysText([6, 7], language) : '';
  const texts = [weekend, windowText(entry, language), windowText(exit, language), untilNext ?? ''];
  return [...new Set(texts.filter((text) => text !== ''))].join(' → ');
}

function bandLine(band: TariffBand, { isOnly, voice }: { isOnly: boolean; voice: Voice }): string {
  const { label, window, steps, capMinor } = band;
  const { money, language } = voice;
  const words = BOARD_WORDS[language];
  const times = window === undefined ? '' : windowText(window, language);
  const elsewhere = isOnly ? '' : words.otherTimes;
  const when = labelOf(label, language) ?? (times === '' ? elsewhere : times);
  const prices = steps.map((step) => stepText(step, voice, isOnly && times === ''));
  const cap = capMinor === undefined ? [] : [`≤ ${money(capMinor)}`];
  const price = [...prices, ...cap].join(', ');
  return when === '' ? price : `${when}: ${price}`;
}

function stepText(step: TariffStep, { money, language }: Voice, isWholeStay: boolean): string {
  const words = BOARD_WORDS[language];
  const amount = money(step.priceMinor);
  switch (step.kind) {
    case 'flat':
      if (step.minutes !== undefined) return `${amount} / ${shortLength(step.minutes, words)}`;
      return isWholeStay ? words.perStay({ amount }) : amount;
    case 'each':
      return step.everyMinutes === DAY_MINUTES
        ? priceTexts(language).perDay({ amount })
        : `${amount} / ${shortLength(step.everyMinutes, words)}`;
    case 'up-to':
      return `${words.upTo({ length: shortLength(step.minutes, words) })}: ${amount}`;
    default:
      return step satisfies never;
  }
}

function labelOf(label: Record<string, string> | undefined, language: Language): string | undefined {
  return label?.[language];
}

function shortLength(
  minutes: number,
  { minutes: min, hours }: Pick<BoardWords, 'minutes' | 'hours'>,
): string {
  return minutes >= 60 && minutes % 60 === 0 ? `${minutes / 60} ${hours}` : `${minutes} ${min}`;
}

function timesText({ startTime, endTime }: Pick<TariffWindow, 'startTime' | 'endTime'>): string {
  return startTime === '00:00' && endTime === '23:59' ? '' : `${startTime}–${endTime}`;
}

/** When a window is open; empty: always. */
function windowText(
  { weekdays, startTime, endTime, dates, holidays }: TariffWindow,
  language: Language,
): string {
  return [
    ...(weekdays === undefined || weekdays.length === 7 ? [] : [weekdaysText(weekdays, language)]),
    ...[timesText({ startTime, endTime })].filter((text) => text !== ''),
    ...(dates ?? []).map(({ from, to }) => `${dayText(from)}–${dayText(to)}`),
    ...(holidays === 'only' ? [BOARD_WORDS[language].holidays] : []),
  ].join(' ');
}

/** `1.6.` of `06-01` or `2026-06-01`. */
function dayText(day: string): string {
  const [month = '', date = ''] = day.split('-').slice(-2);
  return `${Number(date)}.${Number(month)}.`;
}

function weekdaysText(weekdays: readonly number[], language: Language): string {
  const sorted = [...weekdays].sort();
  const [first = 1] = sorted;
  const last = sorted.at(-1) ?? first;
  const isRow = sorted.length > 2 && last - first === sorted.length - 1;
  const name = (weekday: number) => shortWeekday(weekday, language);
  return isRow ? `${name(first)}–${name(last)}` : sorted.map(name).join(', ');
}

/** @param weekday 1 Monday to 7 Sunday */
function shortWeekday(weekday: number, language: Language): string {
  if (language === 'is' || language === 'en') return weekdayName(WEEKDAYS[language].short, weekday);
  // 1 January 2024 was a Monday.
  const day = new Date(Date.UTC(2024, 0, weekday));
  return dateFormat(LOCALES[language], { weekday: 'short', timeZone: 'UTC' }).format(day);
}
