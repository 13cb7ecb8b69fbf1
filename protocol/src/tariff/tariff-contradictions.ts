import { type Mistake, mistake } from '../base/mistakes/mistake.ts';
import { isAlwaysOpen } from '../base/site-time.ts';
import type {
  Tariff,
  TariffClass,
  TariffFlatRate,
  TariffRates,
  TariffStep,
  TariffWindow,
} from './tariff-shape.ts';
import { bandsNeverReached, shortestBetween } from './week-of-windows.ts';

type Place = (string | number)[];

/** Contradictions between parts of a tariff that are valid one by one. */
export function findContradictions(tariff: Tariff): Mistake[] {
  const { free, entryGraceMinutes = 0, classes } = tariff;
  const found = [
    ...inRates(tariff, [], classes.length > 0),
    ...classes.flatMap((rates, at) => inRates(rates, ['classes', at], false)),
    ...classes.flatMap((one, at) =>
      classes.slice(0, at).some((before) => fitsAllOf(before, one))
        ? [mistake('class-never-counts', ['classes', at])]
        : [],
    ),
  ];
  if (free && free.when === 'fits' && entryGraceMinutes > free.minutes) {
    found.push(mistake('grace-within-free', ['entryGraceMinutes'], { minutes: free.minutes }));
  }
  if (free && free.per === 'visit' && free.again !== 'nothing') {
    found.push(mistake('free-again-per-plate', ['free', 'again']));
  }
  if (tariff.straddle === 'pro-rata') {
    found.push(
      ...inPartedSteps(tariff, []),
      ...classes.flatMap((one, at) => inPartedSteps(one, ['classes', at])),
    );
  }
  if (usesHolidays(tariff) && tariff.holidays.length === 0) {
    found.push(mistake('no-holidays', ['holidays']));
  }
  return found;
}

function inRates(rates: TariffRates, place: Place, mayBeEmpty: boolean): Mistake[] {
  const { bands, day, flatRates } = rates;
  const found: Mistake[] = [];
  if (bands.length === 0 && !day && !mayBeEmpty) {
    found.push(mistake('no-prices', [...place, 'bands']));
  }
  bands.forEach(({ steps, window }, at) => {
    found.push(...inSteps(steps, [...place, 'bands', at, 'steps'], day !== undefined));
    if (window) found.push(...inWindow(window, [...place, 'bands', at, 'window']));
    if (window === undefined && at < bands.length - 1) {
      const path = [...place, 'bands', at, 'window'];
      found.push(mistake('band-always-open', path));
    }
  });
  for (const at of bandsNeverReached(bands)) {
    const path = [...place, 'bands', at, 'window'];
    found.push(mistake('band-never-reached', path));
  }
  flatRates.forEach(({ entry, exit, untilNext, within, withinMinutes }, at) => {
    const shortest = shortestBetween(entry, exit);
    if (shortest !== null && withinMinutes !== undefined && shortest >= withinMinutes) {
      found.push(
        mistake('windows-too-far', [...place, 'flatRates', at, 'withinMinutes'], { minutes: withinMinutes }),
      );
    }
    if (isWholeWeek(exit) && untilNext === undefined && within === undefined && withinMinutes === undefined) {
      found.push(mistake('flat-rate-endless', [...place, 'flatRates', at, 'exit']));
    }
    found.push(...inWindow(entry, [...place, 'flatRates', at, 'entry']));
    found.push(...inWindow(exit, [...place, 'flatRates', at, 'exit']));
  });
  if (day) {
    const path = [...place, 'day', 'prices'];
    if (day.prices[0]?.fromDay !== 1) found.push(mistake('day-one-first', path));
    if (!ascends(day.prices.map(({ fromDay }) => fromDay))) {
      found.push(mistake('days-not-ascending', path));
    }
    if (bands.length === 0 && day.partial === 'hours') {
      found.push(mistake('no-hours-priced', [...place, 'day', 'partial']));
    }
  }
  flatRates.forEach((rate, at) => {
    if (flatRates.slice(0, at).some((before) => hasSameTimes(before, rate))) {
      found.push(mistake('flat-rate-twice', [...place, 'flatRates', at]));
    }
  });
  return [...found, ...inCaps(rates, place)];
}

/** Caps that contradict the rest, such as a total below one of its parts. */
function inCaps({ bands, day, caps }: TariffRates, place: Place): Mistake[] {
  const { weekMinor, visitMinor } = caps;
  const [week, visit] = [
    [...place, 'caps', 'weekMinor'],
    [...place, 'caps', 'visitMinor'],
  ];
  const found: Mistake[] = [];
  if (weekMinor !== undefined && !day) {
    found.push(mistake('week-cap-without-day', week));
  }
  if (caps.week === 'calendar' && day?.kind !== 'calendar') {
    found.push(mistake('calendar-week', [...place, 'caps', 'week']));
  }
  if (weekMinor !== undefined && visitMinor !== undefined && visitMinor < weekMinor) {
    found.push(mistake('less-than-week', visit, { weekMinor }));
  }
  if (!day) return found;
  const prices = day.prices.map(({ priceMinor }) => priceMinor);
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  if (weekMinor !== undefined && weekMinor < least) {
    found.push(mistake('less-than-day', week, { dayMinor: least }));
  }
  if (visitMinor !== undefined && visitMinor < least) {
    found.push(mistake('less-than-day', visit, { dayMinor: least }));
  }
  bands.forEach(({ steps }, band) => {
    steps.forEach(({ priceMinor }, at) => {
      if (priceMinor <= most) return;
      const path = [...place, 'bands', band, 'steps', at, 'priceMinor'];
      found.push(mistake('more-than-day', path, { dayMinor: most }));
    });
  });
  return found;
}

function hasSameTimes(one: TariffFlatRate, other: TariffFlatRate): boolean {
  const timesOf = ({ entry, exit, untilNext, within, withinMinutes }: TariffFlatRate) =>
    JSON.stringify([windowOf(entry), windowOf(exit), untilNext, within, withinMinutes]);
  return timesOf(one) === timesOf(other);
}

function isWholeWeek({ weekdays, dates, holidays, ...hours }: TariffWindow): boolean {
  const everyDay = weekdays === undefined || new Set(weekdays).size === 7;
  return everyDay && !dates && !holidays && isAlwaysOpen(hours);
}

function windowOf({ weekdays, startTime, endTime, dates, holidays }: TariffWindow) {
  return [weekdays?.toSorted(), startTime, endTime, dates, holidays];
}

/** A step that is charged proportionally needs a length. */
function inPartedSteps({ bands }: TariffRates, place: Place): Mistake[] {
  if (bands.length < 2) return [];
  return bands.flatMap(({ steps }, band) =>
    steps.flatMap((step, at) =>
      step.kind === 'flat' && step.minutes === undefined
        ? [mistake('pro-rata-without-length', [...place, 'bands', band, 'steps', at, 'minutes'])]
        : [],
    ),
  );
}

function inSteps(steps: readonly TariffStep[], place: Place, perDay: boolean): Mistake[] {
  const found: Mistake[] = [];
  let table: { minutes: number; priceMinor: number } | undefined;
  steps.forEach((step, at) => {
    const path = [...place, at];
    const isLast = at === steps.length - 1;
    if (step.kind === 'up-to') {
      if (at > 0 && !table) found.push(mistake('up-to-first', path));
      if (table && step.minutes <= table.minutes) {
        found.push(mistake('step-not-longer', [...path, 'minutes'], { minutes: table.minutes }));
      }
      if (table && step.priceMinor < table.priceMinor) {
        found.push(mistake('longer-costs-less', [...path, 'priceMinor']));
      }
      table = step;
    } else {
      if (!isLast && step.minutes === undefined) {
        found.push(mistake('step-endless', [...path, 'minutes']));
      }
      if (step.kind === 'each' && step.minutes !== undefined && step.minutes % step.everyMinutes !== 0) {
        found.push(mistake('not-multiple', [...path, 'minutes'], { divisor: step.everyMinutes }));
      }
    }
    if (isLast && step.minutes !== undefined && !perDay) {
      found.push(mistake('longer-stays-unpriced', [...path, 'minutes']));
    }
  });
  return found;
}

function inWindow(window: TariffWindow, place: Place): Mistake[] {
  const found: Mistake[] = [];
  if (new Set(window.weekdays).size !== (window.weekdays?.length ?? 0)) {
    found.push(mistake('day-twice', [...place, 'weekdays']));
  }
  window.dates?.forEach(({ from, to }, at) => {
    const path = [...place, 'dates', at, 'to'];
    if (from.length !== to.length) found.push(mistake('year-in-both', path));
    else if (from.length > 5 && to < from) found.push(mistake('before-from', path));
  });
  return found;
}

function usesHolidays({ bands, flatRates, classes }: Tariff): boolean {
  const windows = [{ bands, flatRates }, ...classes].flatMap((rates) => [
    ...rates.bands.map(({ window }) => window),
    ...rates.flatRates.flatMap(({ entry, exit }) => [entry, exit]),
  ]);
  return windows.some((window) => window?.holidays !== undefined);
}

function fitsAllOf(one: TariffClass, other: TariffClass): boolean {
  return (
    (one.category === undefined || one.category === other.category) &&
    (other.seatsUpTo ?? Infinity) <= (one.seatsUpTo ?? Infinity) &&
    (other.massUpToKg ?? Infinity) <= (one.massUpToKg ?? Infinity)
  );
}

function ascends(numbers: readonly number[]): boolean {
  return numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? 0));
}
