import type {
  Tariff,
  TariffBand,
  TariffRates,
  TariffStep,
  TariffWindow,
} from '@hlid/protocol/tariff/tariff-shape';
import { LANGUAGE, roomWords } from '../../words/words.ts';

const WORDS = roomWords('products').tariffText;

/** A tariff in sentences, in the order in which it counts. */
export function tariffText(tariff: Tariff, money: (amountMinor: number) => string): string[] {
  const { free, classes, entryGraceMinutes, exitGraceMinutes, lateFee, serviceFees, holidays } = tariff;
  const { kiosk, online } = serviceFees;
  return [
    ...(free === undefined
      ? []
      : [
          (free.when === 'always' ? WORDS.freeAlways : WORDS.freeFits)({ length: lengthText(free.minutes) }),
          WORDS.freePer[free.per],
        ]),
    ...ratesText(tariff, money),
    ...classes.flatMap((one) => {
      const facts = [
        one.label?.[LANGUAGE],
        one.category && WORDS.classOf[one.category],
        one.seatsUpTo === undefined ? null : WORDS.seats({ n: one.seatsUpTo }),
        one.massUpToKg === undefined ? null : WORDS.mass({ n: one.massUpToKg }),
      ];
      const name = facts.filter(Boolean).join(', ');
      return [WORDS.classes({ name }), ...ratesText(one, money).map((text) => `– ${text}`)];
    }),
    entryGraceMinutes ? WORDS.entryGrace({ length: lengthText(entryGraceMinutes) }) : '',
    exitGraceMinutes ? WORDS.exitGrace({ length: lengthText(exitGraceMinutes) }) : '',
    lateFee === undefined
      ? ''
      : WORDS.lateFee({ amount: money(lateFee.amountMinor), length: lengthText(lateFee.afterMinutes) }),
    kiosk ? WORDS.fee.kiosk({ amount: money(kiosk) }) : '',
    online ? WORDS.fee.online({ amount: money(online) }) : '',
    holidays.length > 0 ? WORDS.holidays({ n: holidays.length }) : '',
  ].filter((text) => text !== '');
}

function ratesText(
  { bands, day, caps, flatRates }: TariffRates,
  money: (amount: number) => string,
): string[] {
  const dayPrices = (day?.prices ?? []).map(({ fromDay, priceMinor }) =>
    fromDay === 1
      ? WORDS.dayCap({ amount: money(priceMinor) })
      : WORDS.dayFrom({ amount: money(priceMinor), day: fromDay }),
  );
  return [
    ...bands.map((band, place) => bandText(band, place === 0, money)),
    ...dayPrices,
    ...(day === undefined ? [] : [day.kind === 'calendar' ? WORDS.calendar : WORDS.rolling]),
    ...(caps.weekMinor === undefined ? [] : [WORDS.weekCap({ amount: money(caps.weekMinor) })]),
    ...(caps.visitMinor === undefined ? [] : [WORDS.visitCap({ amount: money(caps.visitMinor) })]),
    ...flatRates.map(({ label, entry, exit, priceMinor }) => {
      const text = WORDS.flatRate({
        amount: money(priceMinor),
        entry: windowText(entry),
        exit: windowText(exit),
      });
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
  const cap = capMinor === undefined ? '' : `, ${WORDS.bandCap({ amount: money(capMinor) })}`;
  return `${when.filter(Boolean).join(', ')}: ${prices}${cap}.`;
}

function stepText(step: TariffStep, money: (amount: number) => string): string {
  const amount = money(step.priceMinor);
  switch (step.kind) {
    case 'flat':
      return step.minutes === undefined
        ? WORDS.flat({ amount })
        : WORDS.flatFor({ amount, length: lengthText(step.minutes) });
    case 'each': {
      const each = lengthText(step.everyMinutes, WORDS.started);
      return step.minutes === undefined
        ? WORDS.each({ amount, started: each })
        : WORDS.eachFor({ amount, started: each, whole: lengthText(step.minutes) });
    }
    case 'up-to':
      return WORDS.upTo({ amount, length: lengthText(step.minutes) });
    default:
      return step satisfies never;
  }
}

function windowText({ weekdays, startTime, endTime, dates, holidays }: TariffWindow): string {
  const isWholeDay = startTime === '00:00' && endTime === '23:59';
  const parts = [
    weekdays && weekdaysText(weekdays),
    isWholeDay ? null : WORDS.window({ from: startTime, to: endTime }),
    ...(dates ?? []).map(({ from, to }) => WORDS.dates({ from, to })),
    holidays && (holidays === 'only' ? WORDS.holidaysOnly : WORDS.holidaysNever),
  ].filter(Boolean);
  return parts.length === 0 ? WORDS.always.toLowerCase() : parts.join(' ');
}

type LengthWords = Pick<typeof WORDS, 'minutes' | 'hours' | 'days'>;

function lengthText(minutes: number, words: LengthWords = WORDS): string {
  if (minutes % (24 * 60) === 0) return words.days({ n: minutes / (24 * 60) });
  return minutes % 60 === 0 ? words.hours({ n: minutes / 60 }) : words.minutes({ n: minutes });
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
