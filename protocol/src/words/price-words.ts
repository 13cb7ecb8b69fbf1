import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/durations.ts';
import { counted, type Language, type PluralForms } from '../base/language.ts';
import { formatMoney } from '../base/money.ts';
import type { PriceLine } from '../tariff/price-line.ts';

/** A line of a price as people read it: what for, and how often or how long. */
export interface PriceLineText {
  what: string;
  /** Null: there is nothing more to say. */
  detail: string | null;
  /** What one of several costs, and always what a day does; null: the amount is enough. */
  rate: string | null;
}

interface PriceWords {
  rules: Record<PriceLine['rule'], string>;
  caps: Record<NonNullable<PriceLine['capOf']>, string>;
  minutes: PluralForms;
  hours: PluralForms;
  days: PluralForms;
  each: (amount: string) => string;
  perDay: (amount: string) => string;
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
      cap: 'Maximum price',
      paid: 'Already paid',
      invoiced: 'On an invoice',
      'late-fee': 'Late payment fee',
      'service-fee': 'Service fee',
    },
    caps: {
      opening: 'you pay no more than this for one period',
      week: 'you pay no more than this for one week',
      visit: 'you pay no more than this for one stay',
    },
    minutes: { one: 'minute', other: 'minutes' },
    hours: { one: 'hour', other: 'hours' },
    days: { one: 'day', other: 'days' },
    each: (amount) => `${amount} each`,
    perDay: (amount) => `${amount} per started day`,
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
      cap: 'Hámarksverð',
      paid: 'Þegar greitt',
      invoiced: 'Á reikningi',
      'late-fee': 'Álag vegna síðbúinnar greiðslu',
      'service-fee': 'Þjónustugjald',
    },
    caps: {
      opening: 'þú greiðir ekki meira fyrir eitt tímabil',
      week: 'þú greiðir ekki meira fyrir eina viku',
      visit: 'þú greiðir ekki meira fyrir eina dvöl',
    },
    minutes: { one: 'mínúta', other: 'mínútur' },
    hours: { other: 'klst.' },
    days: { one: 'dagur', other: 'dagar' },
    each: (amount) => `${amount} hver`,
    perDay: (amount) => `${amount} fyrir hvern byrjaðan sólarhring`,
  },
  pl: {
    rules: {
      unit: 'Parking',
      'units-met': 'Już opłacone',
      waived: 'Bez opłaty',
      free: 'Czas bezpłatny',
      step: 'Parking',
      day: 'Cały dzień',
      'flat-rate': 'Cena stała',
      cap: 'Cena maksymalna',
      paid: 'Już zapłacono',
      invoiced: 'Na fakturze',
      'late-fee': 'Opłata za zwłokę',
      'service-fee': 'Opłata serwisowa',
    },
    caps: {
      opening: 'za jeden okres nie zapłacisz więcej',
      week: 'za tydzień nie zapłacisz więcej',
      visit: 'za jeden postój nie zapłacisz więcej',
    },
    minutes: { one: 'minuta', few: 'minuty', many: 'minut', other: 'minuty' },
    hours: { one: 'godzina', few: 'godziny', many: 'godzin', other: 'godziny' },
    days: { one: 'dzień', few: 'dni', many: 'dni', other: 'dnia' },
    each: (amount) => `po ${amount}`,
    perDay: (amount) => `${amount} za każdą rozpoczętą dobę`,
  },
  de: {
    rules: {
      unit: 'Parken',
      'units-met': 'Bereits bezahlt',
      waived: 'Dafür ist nichts zu zahlen',
      free: 'Freie Parkzeit',
      step: 'Parken',
      day: 'Ganzer Tag',
      'flat-rate': 'Festpreis',
      cap: 'Höchstpreis',
      paid: 'Bereits gezahlt',
      invoiced: 'Auf Rechnung',
      'late-fee': 'Gebühr für verspätete Zahlung',
      'service-fee': 'Servicegebühr',
    },
    caps: {
      opening: 'mehr zahlen Sie für einen Zeitraum nicht',
      week: 'mehr zahlen Sie für eine Woche nicht',
      visit: 'mehr zahlen Sie für einen Aufenthalt nicht',
    },
    minutes: { one: 'Minute', other: 'Minuten' },
    hours: { one: 'Stunde', other: 'Stunden' },
    days: { one: 'Tag', other: 'Tage' },
    each: (amount) => `je ${amount}`,
    perDay: (amount) => `${amount} je angefangenem Tag`,
  },
  fr: {
    rules: {
      unit: 'Stationnement',
      'units-met': 'Déjà réglé',
      waived: 'Rien à payer pour cela',
      free: 'Temps gratuit',
      step: 'Stationnement',
      day: 'Journée entière',
      'flat-rate': 'Forfait',
      cap: 'Tarif maximal',
      paid: 'Déjà payé',
      invoiced: 'Sur facture',
      'late-fee': 'Frais de retard de paiement',
      'service-fee': 'Frais de service',
    },
    caps: {
      opening: 'vous ne payez pas plus pour une période',
      week: 'vous ne payez pas plus pour une semaine',
      visit: 'vous ne payez pas plus pour un stationnement',
    },
    minutes: { one: 'minute', other: 'minutes' },
    hours: { one: 'heure', other: 'heures' },
    days: { one: 'jour', other: 'jours' },
    each: (amount) => `${amount} l’unité`,
    perDay: (amount) => `${amount} par jour entamé`,
  },
  es: {
    rules: {
      unit: 'Aparcamiento',
      'units-met': 'Ya pagado',
      waived: 'Sin coste',
      free: 'Tiempo gratuito',
      step: 'Aparcamiento',
      day: 'Día completo',
      'flat-rate': 'Precio fijo',
      cap: 'Precio máximo',
      paid: 'Ya pagado',
      invoiced: 'En factura',
      'late-fee': 'Recargo por pago tardío',
      'service-fee': 'Gastos de gestión',
    },
    caps: {
      opening: 'no paga más que esto por un período',
      week: 'no paga más que esto por una semana',
      visit: 'no paga más que esto por una estancia',
    },
    minutes: { one: 'minuto', other: 'minutos' },
    hours: { one: 'hora', other: 'horas' },
    days: { one: 'día', other: 'días' },
    each: (amount) => `${amount} por unidad`,
    perDay: (amount) => `${amount} por cada día iniciado`,
  },
  da: {
    rules: {
      unit: 'Parkering',
      'units-met': 'Allerede betalt',
      waived: 'Intet at betale for dette',
      free: 'Gratis tid',
      step: 'Parkering',
      day: 'Hel dag',
      'flat-rate': 'Fast pris',
      cap: 'Maksimumspris',
      paid: 'Allerede betalt',
      invoiced: 'På faktura',
      'late-fee': 'Gebyr for sen betaling',
      'service-fee': 'Servicegebyr',
    },
    caps: {
      opening: 'du betaler ikke mere for én periode',
      week: 'du betaler ikke mere for én uge',
      visit: 'du betaler ikke mere for ét ophold',
    },
    minutes: { one: 'minut', other: 'minutter' },
    hours: { one: 'time', other: 'timer' },
    days: { one: 'dag', other: 'dage' },
    each: (amount) => `à ${amount}`,
    perDay: (amount) => `${amount} pr. påbegyndt døgn`,
  },
};

/**
 * A line of a price in plain words, as the kiosk and the receipt show it beside its amount. A name that the tariff
 * gives it comes before ours.
 */
export function priceLineText(line: PriceLine, currency: string, language: Language): PriceLineText {
  const words = PRICE_WORDS[language];
  const { rule, label } = line;
  const named = label?.[language] ?? label?.['en'] ?? Object.values(label ?? {})[0];
  // A page may be older than the program that priced the stay, and not know the rule.
  const what = named ?? (rule in words.rules ? words.rules[rule] : words.rules.unit);
  const detail = detailOf(line, language);
  return {
    what: rule === 'cap' && detail !== null ? `${what}:` : what,
    detail,
    rate: rateOf(line, currency, language),
  };
}

/** The same in one line of text. */
export function priceLineSentence(line: PriceLine, currency: string, language: Language): string {
  const { what, detail, rate } = priceLineText(line, currency, language);
  return [what, detail, rate]
    .filter((part) => part !== null)
    .join(', ')
    .replace(':,', ':');
}

/** A time in words, exactly: whole days, else whole hours, else minutes. */
export function durationText(minutes: number, language: Language): string {
  const words = PRICE_WORDS[language];
  const [perDay, perHour] = [DAY_MS / MINUTE_MS, HOUR_MS / MINUTE_MS];
  if (minutes >= perDay && minutes % perDay === 0) return counted(language, minutes / perDay, words.days);
  if (minutes < perHour) return counted(language, minutes, words.minutes);
  const rest = minutes % perHour;
  const hours = counted(language, (minutes - rest) / perHour, words.hours);
  return rest === 0 ? hours : `${hours} ${counted(language, rest, words.minutes)}`;
}

function rateOf({ rule, units, unitMinor }: PriceLine, currency: string, language: Language): string | null {
  if (unitMinor === undefined || units < 1) return null;
  const words = PRICE_WORDS[language];
  const amount = formatMoney({ amountMinor: unitMinor, currency }, language);
  if (rule === 'unit') return words.perDay(amount);
  return units > 1 ? words.each(amount) : null;
}

function detailOf({ rule, units, minutes, capOf }: PriceLine, language: Language): string | null {
  const words = PRICE_WORDS[language];
  const often = Math.abs(units);
  switch (rule) {
    case 'unit':
    case 'units-met':
      // A unit is not a calendar day: it is written in hours.
      return often === 0 ? null : times(often, counted(language, 24, words.hours));
    case 'free':
      return durationText(often, language);
    case 'step':
      return minutes === undefined ? null : times(often, durationText(minutes, language));
    case 'day':
      return often > 1 ? counted(language, often, words.days) : null;
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

/** The price of a started day. */
export function perDayText(amount: string, language: Language): string {
  return PRICE_WORDS[language].perDay(amount);
}

/** What a line of this rule is for. */
export function ruleText(rule: PriceLine['rule'], language: Language): string {
  return PRICE_WORDS[language].rules[rule];
}
