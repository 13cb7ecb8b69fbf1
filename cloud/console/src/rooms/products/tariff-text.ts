import type {
  Tariff,
  TariffBand,
  TariffRates,
  TariffStep,
  TariffWindow,
} from '@hlid/protocol/tariff/tariff-shape';
import { LANGUAGE, wordsIn } from '../../words/words.ts';

const WORDS = wordsIn(
  {
    minutes: (n: number) => `${n} min`,
    hours: (n: number) => (n === 1 ? 'hour' : `${n} hours`),
    days: (n: number) => (n === 1 ? 'day' : `${n} days`),
    weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].join(' '),
    always: 'Always',
    otherwise: 'At other times',
    started: {
      minutes: (n: number) => `each started ${n} min`,
      hours: (n: number) => (n === 1 ? 'each started hour' : `each started ${n} hours`),
      days: (n: number) => (n === 1 ? 'each started day' : `each started ${n} days`),
    },
    window: (from: string, to: string) => `${from}–${to}`,
    dates: (from: string, to: string) => `${from} to ${to}`,
    holidaysOnly: 'on holidays',
    holidaysNever: 'not on holidays',
    flat: (amount: string) => `${amount} once`,
    flatFor: (amount: string, length: string) => `${amount} for ${length}`,
    each: (amount: string, started: string) => `${amount} for ${started}`,
    eachFor: (amount: string, started: string, whole: string) => `${amount} for ${started}, for ${whole}`,
    upTo: (amount: string, length: string) => `${amount} up to ${length}`,
    next: 'then',
    bandCap: (amount: string) => `at most ${amount} each time`,
    freeFits: (length: string) => `Stays of at most ${length} are free.`,
    freeAlways: (length: string) => `The first ${length} of every stay are free.`,
    freePer: {
      visit: '',
      'plate-24h': 'Once in 24 hours for each plate.',
      'plate-day': 'Once a day for each plate.',
    },
    dayCap: (amount: string) => `At most ${amount} a day.`,
    dayFrom: (amount: string, day: number) => `From day ${day}: at most ${amount} a day.`,
    calendar: 'A day lasts from midnight to midnight.',
    rolling: 'A day is 24 hours from the entry.',
    weekCap: (amount: string) => `At most ${amount} a week.`,
    visitCap: (amount: string) => `At most ${amount} for a stay.`,
    flatRate: (amount: string, entry: string, exit: string) =>
      `${amount} for entry ${entry} and exit ${exit}.`,
    classes: (name: string) => `Other prices for ${name}:`,
    classOf: { light: 'light vehicles', heavy: 'heavy vehicles' },
    seats: (n: number) => `up to ${n} seats`,
    mass: (n: number) => `up to ${n} kg`,
    entryGrace: (length: string) => `Leaving within ${length} costs nothing.`,
    exitGrace: (length: string) => `After paying, there are ${length} to leave.`,
    lateFee: (amount: string, length: string) =>
      `${amount} more where a stay is paid later than ${length} after its end.`,
    fee: {
      kiosk: (amount: string) => `Kiosk fee: ${amount}.`,
      online: (amount: string) => `Online fee: ${amount}.`,
    },
    holidays: (n: number) => (n === 1 ? '1 holiday is named.' : `${n} holidays are named.`),
  },
  {
    minutes: (n: number) => `${n} mín.`,
    hours: (n: number) => (n === 1 ? 'klukkustund' : `${n} klst.`),
    days: (n: number) => (n === 1 ? 'sólarhring' : `${n} sólarhringa`),
    weekdays: ['mán.', 'þri.', 'mið.', 'fim.', 'fös.', 'lau.', 'sun.'].join(' '),
    always: 'Alltaf',
    otherwise: 'Á öðrum tímum',
    started: {
      minutes: (n: number) => `hverjar byrjaðar ${n} mín.`,
      hours: (n: number) => (n === 1 ? 'hverja byrjaða klukkustund' : `hverjar byrjaðar ${n} klst.`),
      days: (n: number) => (n === 1 ? 'hvern byrjaðan sólarhring' : `hverja byrjaða ${n} sólarhringa`),
    },
    window: (from: string, to: string) => `${from}–${to}`,
    dates: (from: string, to: string) => `${from} til ${to}`,
    holidaysOnly: 'á frídögum',
    holidaysNever: 'ekki á frídögum',
    flat: (amount: string) => `${amount} einu sinni`,
    flatFor: (amount: string, length: string) => `${amount} fyrir ${length}`,
    each: (amount: string, started: string) => `${amount} fyrir ${started}`,
    eachFor: (amount: string, started: string, whole: string) => `${amount} fyrir ${started}, í ${whole}`,
    upTo: (amount: string, length: string) => `${amount} fyrir allt að ${length}`,
    next: 'síðan',
    bandCap: (amount: string) => `mest ${amount} í hvert sinn`,
    freeFits: (length: string) => `Dvöl sem er ekki lengri en ${length} er gjaldfrjáls.`,
    freeAlways: (length: string) => `Fyrstu ${length} af hverri dvöl eru gjaldfrjáls.`,
    freePer: {
      visit: '',
      'plate-24h': 'Einu sinni á sólarhring fyrir hvert bílnúmer.',
      'plate-day': 'Einu sinni á dag fyrir hvert bílnúmer.',
    },
    dayCap: (amount: string) => `Mest ${amount} á dag.`,
    dayFrom: (amount: string, day: number) => `Frá degi ${day}: mest ${amount} á dag.`,
    calendar: 'Dagur er frá miðnætti til miðnættis.',
    rolling: 'Dagur er 24 klukkustundir frá innkeyrslu.',
    weekCap: (amount: string) => `Mest ${amount} á viku.`,
    visitCap: (amount: string) => `Mest ${amount} fyrir dvöl.`,
    flatRate: (amount: string, entry: string, exit: string) =>
      `${amount} fyrir innkeyrslu ${entry} og útkeyrslu ${exit}.`,
    classes: (name: string) => `Annað verð fyrir ${name}:`,
    classOf: { light: 'létt ökutæki', heavy: 'þung ökutæki' },
    seats: (n: number) => `allt að ${n} sæti`,
    mass: (n: number) => `allt að ${n} kg`,
    entryGrace: (length: string) => `Ekkert kostar að fara út innan ${length}`,
    exitGrace: (length: string) => `Eftir greiðslu er ${length} frestur til að fara út.`,
    lateFee: (amount: string, length: string) =>
      `${amount} bætast við ef greitt er meira en ${length} eftir lok dvalar.`,
    fee: {
      kiosk: (amount: string) => `Gjald í greiðsluvél: ${amount}.`,
      online: (amount: string) => `Gjald á netinu: ${amount}.`,
    },
    holidays: (n: number) => `Skráðir frídagar: ${n}.`,
  },
);

/** A tariff in sentences, in the order in which it counts. */
export function tariffText(tariff: Tariff, money: (amountMinor: number) => string): string[] {
  const { free, classes, entryGraceMinutes, exitGraceMinutes, lateFee, serviceFees, holidays } = tariff;
  const { kiosk, online } = serviceFees;
  return [
    ...(free === undefined
      ? []
      : [
          (free.when === 'always' ? WORDS.freeAlways : WORDS.freeFits)(lengthText(free.minutes)),
          WORDS.freePer[free.per],
        ]),
    ...ratesText(tariff, money),
    ...classes.flatMap((one) => {
      const facts = [
        one.label?.[LANGUAGE],
        one.category && WORDS.classOf[one.category],
        one.seatsUpTo === undefined ? null : WORDS.seats(one.seatsUpTo),
        one.massUpToKg === undefined ? null : WORDS.mass(one.massUpToKg),
      ];
      const name = facts.filter(Boolean).join(', ');
      return [WORDS.classes(name), ...ratesText(one, money).map((text) => `– ${text}`)];
    }),
    entryGraceMinutes ? WORDS.entryGrace(lengthText(entryGraceMinutes)) : '',
    exitGraceMinutes ? WORDS.exitGrace(lengthText(exitGraceMinutes)) : '',
    lateFee === undefined ? '' : WORDS.lateFee(money(lateFee.amountMinor), lengthText(lateFee.afterMinutes)),
    kiosk ? WORDS.fee.kiosk(money(kiosk)) : '',
    online ? WORDS.fee.online(money(online)) : '',
    holidays.length > 0 ? WORDS.holidays(holidays.length) : '',
  ].filter((text) => text !== '');
}

function ratesText(
  { bands, day, caps, flatRates }: TariffRates,
  money: (amount: number) => string,
): string[] {
  const dayPrices = (day?.prices ?? []).map(({ fromDay, priceMinor }) =>
    fromDay === 1 ? WORDS.dayCap(money(priceMinor)) : WORDS.dayFrom(money(priceMinor), fromDay),
  );
  return [
    ...bands.map((band, place) => bandText(band, place === 0, money)),
    ...dayPrices,
    ...(day === undefined ? [] : [day.kind === 'calendar' ? WORDS.calendar : WORDS.rolling]),
    ...(caps.weekMinor === undefined ? [] : [WORDS.weekCap(money(caps.weekMinor))]),
    ...(caps.visitMinor === undefined ? [] : [WORDS.visitCap(money(caps.visitMinor))]),
    ...flatRates.map(({ label, entry, exit, priceMinor }) => {
      const text = WORDS.flatRate(money(priceMinor), windowText(entry), windowText(exit));
      const name = label?.[LANGUAGE];
      return name === undefined ? text : `${name}: ${text}`;
    }),
  ];
}

function bandText(
  { label, window, steps, capMinor }: TariffBand,
  isFirst: boolean,
  money: (amount: number) => string,
): string {
  const always = isFirst ? WORDS.always : WORDS.otherwise;
  const when = [label?.[LANGUAGE], window === undefined ? always : windowText(window)];
  const prices = steps.map((step) => stepText(step, money)).join(`, ${WORDS.next} `);
  const cap = capMinor === undefined ? '' : `, ${WORDS.bandCap(money(capMinor))}`;
  return `${when.filter(Boolean).join(', ')}: ${prices}${cap}.`;
}

function stepText(step: TariffStep, money: (amount: number) => string): string {
  const amount = money(step.priceMinor);
  switch (step.kind) {
    case 'flat':
      return step.minutes === undefined
        ? WORDS.flat(amount)
        : WORDS.flatFor(amount, lengthText(step.minutes));
    case 'each': {
      const each = lengthText(step.everyMinutes, WORDS.started);
      return step.minutes === undefined
        ? WORDS.each(amount, each)
        : WORDS.eachFor(amount, each, lengthText(step.minutes));
    }
    case 'up-to':
      return WORDS.upTo(amount, lengthText(step.minutes));
    default:
      return step satisfies never;
  }
}

function windowText({ weekdays, startTime, endTime, dates, holidays }: TariffWindow): string {
  const isWholeDay = startTime === '00:00' && endTime === '23:59';
  const parts = [
    weekdays && weekdaysText(weekdays),
    isWholeDay ? null : WORDS.window(startTime, endTime),
    ...(dates ?? []).map(({ from, to }) => WORDS.dates(from, to)),
    holidays && (holidays === 'only' ? WORDS.holidaysOnly : WORDS.holidaysNever),
  ].filter(Boolean);
  return parts.length === 0 ? WORDS.always.toLowerCase() : parts.join(' ');
}

type LengthWords = Pick<typeof WORDS, 'minutes' | 'hours' | 'days'>;

function lengthText(minutes: number, words: LengthWords = WORDS): string {
  if (minutes % (24 * 60) === 0) return words.days(minutes / (24 * 60));
  return minutes % 60 === 0 ? words.hours(minutes / 60) : words.minutes(minutes);
}

/** `Mon–Fri` where the days follow each other, else their names. */
function weekdaysText(weekdays: readonly number[]): string {
  const names = WORDS.weekdays.split(' ');
  const sorted = [...weekdays].sort();
  const [first = 1] = sorted;
  const last = sorted.at(-1) ?? first;
  const name = (weekday: number) => names[weekday - 1] ?? '';
  const isRow = sorted.length > 2 && last - first === sorted.length - 1;
  return isRow ? `${name(first)}–${name(last)}` : sorted.map(name).join(' ');
}
