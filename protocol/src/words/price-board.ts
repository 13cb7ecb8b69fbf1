import { DAY_MINUTES } from '../base/durations.ts';
import { LANGUAGES, type Language, LOCALES } from '../base/language.ts';
import { SHORT_WEEKDAYS } from '../base/mistakes/weekdays.ts';
import { formatMoney } from '../base/money.ts';
import { type Product, pricingProduct } from '../tariff/product.ts';
import type { Tariff, TariffBand, TariffRates, TariffStep, TariffWindow } from '../tariff/tariff-shape.ts';
import { priceTexts } from './price/price-texts.ts';

/** What a board or a screen has room for. */
const MAX_LINES = 5;

interface BoardWords {
  minutes: string;
  hours: string;
  firstFree: (length: string) => string;
  freeUpTo: (length: string) => string;
  upTo: (length: string) => string;
  perStay: (amount: string) => string;
  capDay: (amount: string) => string;
  capWeek: (amount: string) => string;
  capStay: (amount: string) => string;
  otherTimes: string;
  free: string;
  holidays: string;
  large: string;
  more: string;
}

const WORDS: Record<Language, BoardWords> = {
  is: {
    minutes: 'mín.',
    hours: 'klst.',
    firstFree: (length) => `Fyrstu ${length} gjaldfrjálst`,
    freeUpTo: (length) => `Gjaldfrjálst að ${length}`,
    upTo: (length) => `Allt að ${length}`,
    perStay: (amount) => `${amount} fyrir hverja dvöl`,
    capDay: (amount) => `Mest ${amount} á dag`,
    capWeek: (amount) => `Mest ${amount} á viku`,
    capStay: (amount) => `Mest ${amount} fyrir hverja dvöl`,
    otherTimes: 'Á öðrum tímum',
    free: 'gjaldfrjálst',
    holidays: 'Frídagar',
    large: 'Stór ökutæki',
    more: 'Annað verð getur átt við sum ökutæki og tíma',
  },
  en: {
    minutes: 'min',
    hours: 'h',
    firstFree: (length) => `First ${length} free`,
    freeUpTo: (length) => `Free up to ${length}`,
    upTo: (length) => `Up to ${length}`,
    perStay: (amount) => `${amount} per stay`,
    capDay: (amount) => `At most ${amount} a day`,
    capWeek: (amount) => `At most ${amount} a week`,
    capStay: (amount) => `At most ${amount} per stay`,
    otherTimes: 'Other times',
    free: 'free',
    holidays: 'Holidays',
    large: 'Large vehicles',
    more: 'Other prices may apply to some vehicles and times',
  },
  pl: {
    minutes: 'min',
    hours: 'godz.',
    firstFree: (length) => `Pierwsze ${length} bezpłatnie`,
    freeUpTo: (length) => `Bezpłatnie do ${length}`,
    upTo: (length) => `Do ${length}`,
    perStay: (amount) => `${amount} za postój`,
    capDay: (amount) => `Najwyżej ${amount} za dzień`,
    capWeek: (amount) => `Najwyżej ${amount} za tydzień`,
    capStay: (amount) => `Najwyżej ${amount} za postój`,
    otherTimes: 'W pozostałym czasie',
    free: 'bezpłatnie',
    holidays: 'Święta',
    large: 'Duże pojazdy',
    more: 'Dla niektórych pojazdów i godzin ceny mogą być inne',
  },
  de: {
    minutes: 'Min.',
    hours: 'Std.',
    firstFree: (length) => `Die ersten ${length} kostenlos`,
    freeUpTo: (length) => `Bis ${length} kostenlos`,
    upTo: (length) => `Bis ${length}`,
    perStay: (amount) => `${amount} pro Aufenthalt`,
    capDay: (amount) => `Höchstens ${amount} pro Tag`,
    capWeek: (amount) => `Höchstens ${amount} pro Woche`,
    capStay: (amount) => `Höchstens ${amount} pro Aufenthalt`,
    otherTimes: 'Zu anderen Zeiten',
    free: 'kostenlos',
    holidays: 'Feiertage',
    large: 'Große Fahrzeuge',
    more: 'Für manche Fahrzeuge und Zeiten gelten andere Preise',
  },
  fr: {
    minutes: 'min',
    hours: 'h',
    firstFree: (length) => `Gratuit les premières ${length}`,
    freeUpTo: (length) => `Gratuit jusqu’à ${length}`,
    upTo: (length) => `Jusqu’à ${length}`,
    perStay: (amount) => `${amount} par séjour`,
    capDay: (amount) => `Au plus ${amount} par jour`,
    capWeek: (amount) => `Au plus ${amount} par semaine`,
    capStay: (amount) => `Au plus ${amount} par séjour`,
    otherTimes: 'Le reste du temps',
    free: 'gratuit',
    holidays: 'Jours fériés',
    large: 'Grands véhicules',
    more: 'D’autres prix peuvent s’appliquer à certains véhicules et horaires',
  },
  es: {
    minutes: 'min',
    hours: 'h',
    firstFree: (length) => `Gratis los primeros ${length}`,
    freeUpTo: (length) => `Gratis hasta ${length}`,
    upTo: (length) => `Hasta ${length}`,
    perStay: (amount) => `${amount} por estancia`,
    capDay: (amount) => `Máximo ${amount} al día`,
    capWeek: (amount) => `Máximo ${amount} a la semana`,
    capStay: (amount) => `Máximo ${amount} por estancia`,
    otherTimes: 'Resto del tiempo',
    free: 'gratis',
    holidays: 'Festivos',
    large: 'Vehículos grandes',
    more: 'Algunos vehículos y horarios pueden tener otros precios',
  },
  da: {
    minutes: 'min.',
    hours: 't.',
    firstFree: (length) => `De første ${length} gratis`,
    freeUpTo: (length) => `Gratis op til ${length}`,
    upTo: (length) => `Op til ${length}`,
    perStay: (amount) => `${amount} pr. ophold`,
    capDay: (amount) => `Højst ${amount} pr. dag`,
    capWeek: (amount) => `Højst ${amount} pr. uge`,
    capStay: (amount) => `Højst ${amount} pr. ophold`,
    otherTimes: 'På andre tider',
    free: 'gratis',
    holidays: 'Helligdage',
    large: 'Store køretøjer',
    more: 'Andre priser kan gælde for nogle køretøjer og tider',
  },
};

/** A price in a few short lines, in each language: for drivers who have not typed a plate yet. */
export type PriceBoard = Record<Language, string[]>;

export interface BoardTerms {
  currency: string;
  /** The site's grace period, for tariffs that set none. */
  entryGraceMinutes: number;
  /** The channel where the terms are read: its fee is added. Absent: a sign for all ways to pay. */
  channel?: 'kiosk' | 'online';
}

/** What a stay costs at a site by the products that are sold there; null: nothing has a price. */
export function priceBoard(products: readonly Product[], terms: BoardTerms): PriceBoard | null {
  const light = pricingProduct(products, 'light', terms.currency);
  if (light === undefined) return null;
  const heavy = pricingProduct(products, 'heavy', terms.currency) ?? light;
  const board = {} as PriceBoard;
  for (const language of LANGUAGES) {
    const lines = productLines(light, terms, language);
    const others = heavy.id === light.id ? [] : productLines(heavy, terms, language);
    const { large } = WORDS[language];
    // The prices of large vehicles are left to the plate where they take more than a line.
    const [only, ...rest] = others.filter((line) => !lines.includes(line));
    const largeLine = only !== undefined && rest.length === 0 ? [`${large}: ${only}`] : [];
    const isWhole = rest.length === 0 && !hasClasses(light);
    board[language] = shortened([...lines, ...largeLine], isWhole, language);
  }
  return board;
}

function hasClasses({ config }: Product): boolean {
  return (config.tariff?.classes.length ?? 0) > 0;
}

/** The lines for which there is room, and a note that there are more. */
function shortened(lines: string[], isWhole: boolean, language: Language): string[] {
  if (isWhole && lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES - 1), WORDS[language].more];
}

function productLines(product: Product, terms: BoardTerms, language: Language): string[] {
  const { config, currency, type, priceMinor } = product;
  const money = (amountMinor: number) => formatMoney({ amountMinor, currency }, language);
  const words = WORDS[language];
  const { tariff, startTime, endTime } = config;
  if (tariff !== undefined) return tariffLines(tariff, terms, { money, language });
  const price =
    type === 'visit'
      ? words.perStay(money(priceMinor))
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
  const words = WORDS[language];
  if (free?.when === 'always') return [words.firstFree(shortLength(free.minutes, words))];
  const minutes = Math.max(free?.minutes ?? 0, graceMinutes);
  return minutes === 0 ? [] : [words.freeUpTo(shortLength(minutes, words))];
}

function ratesLines({ bands, day, caps, flatRates }: TariffRates, { money, language }: Voice): string[] {
  const words = WORDS[language];
  const voice = { money, language };
  const isAlwaysPriced = bands.some(
    ({ window }) => window === undefined || windowText(window, language) === '',
  );
  const dayPrice = day?.prices.find(({ fromDay }) => fromDay === 1)?.priceMinor;
  const dayLine = (amount: string) =>
    bands.length === 0 ? priceTexts(language).perDay({ amount }) : words.capDay(amount);
  return [
    ...bands.map((band, place) => bandLine(band, { isOnly: place === 0 && bands.length === 1, voice })),
    ...(bands.length > 0 && !isAlwaysPriced && dayPrice === undefined
      ? [`${words.otherTimes}: ${words.free}`]
      : []),
    ...(dayPrice === undefined ? [] : [dayLine(money(dayPrice))]),
    ...(caps.weekMinor === undefined ? [] : [words.capWeek(money(caps.weekMinor))]),
    ...(caps.visitMinor === undefined ? [] : [words.capStay(money(caps.visitMinor))]),
    ...flatRates.map(({ label, entry, exit, priceMinor }) => {
      const name = labelOf(label, language) ?? flatTimes(entry, exit, language);
      return name === '' ? words.perStay(money(priceMinor)) : `${name}: ${money(priceMinor)}`;
    }),
  ];
}

function flatTimes(entry: TariffWindow, exit: TariffWindow, language: Language): string {
  const texts = [windowText(entry, language), windowText(exit, language)].filter((text) => text !== '');
  return [...new Set(texts)].join(' → ');
}

function bandLine(band: TariffBand, { isOnly, voice }: { isOnly: boolean; voice: Voice }): string {
  const { label, window, steps, capMinor } = band;
  const { money, language } = voice;
  const words = WORDS[language];
  const times = window === undefined ? '' : windowText(window, language);
  const elsewhere = isOnly ? '' : words.otherTimes;
  const when = labelOf(label, language) ?? (times === '' ? elsewhere : times);
  const prices = steps.map((step) => stepText(step, voice, isOnly && times === ''));
  const cap = capMinor === undefined ? [] : [`≤ ${money(capMinor)}`];
  const price = [...prices, ...cap].join(', ');
  return when === '' ? price : `${when}: ${price}`;
}

function stepText(step: TariffStep, { money, language }: Voice, isWholeStay: boolean): string {
  const words = WORDS[language];
  const amount = money(step.priceMinor);
  switch (step.kind) {
    case 'flat':
      if (step.minutes !== undefined) return `${amount} / ${shortLength(step.minutes, words)}`;
      return isWholeStay ? words.perStay(amount) : amount;
    case 'each':
      return step.everyMinutes === DAY_MINUTES
        ? priceTexts(language).perDay({ amount })
        : `${amount} / ${shortLength(step.everyMinutes, words)}`;
    case 'up-to':
      return `${words.upTo(shortLength(step.minutes, words))}: ${amount}`;
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
    ...(holidays === 'only' ? [WORDS[language].holidays] : []),
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
  const name = (weekday: number) => weekdayName(weekday, language);
  return isRow ? `${name(first)}–${name(last)}` : sorted.map(name).join(', ');
}

/** @param weekday 1 Monday to 7 Sunday */
function weekdayName(weekday: number, language: Language): string {
  if (language === 'is' || language === 'en') return SHORT_WEEKDAYS[language][weekday - 1] ?? '';
  // 1 January 2024 was a Monday.
  const day = new Date(Date.UTC(2024, 0, weekday));
  return new Intl.DateTimeFormat(LOCALES[language], { weekday: 'short', timeZone: 'UTC' }).format(day);
}
