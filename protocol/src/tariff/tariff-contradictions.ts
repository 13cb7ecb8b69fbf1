import { isAlwaysOpen } from '../site-time.ts';
import type { Tariff, TariffClass, TariffFlatRate, TariffRates, TariffStep, TariffWindow } from './tariff.ts';
import { bandsNeverReached, shortestBetween } from './week-of-windows.ts';

/** A contradiction in a tariff. */
export interface Contradiction {
  path: (string | number)[];
  message: string;
}

type Place = (string | number)[];

/** Contradictions between parts of a tariff that are valid one by one. */
export function findContradictions(tariff: Tariff): Contradiction[] {
  const { free, entryGraceMinutes = 0, classes } = tariff;
  const found = [
    ...inRates(tariff, [], classes.length > 0),
    ...classes.flatMap((rates, at) => inRates(rates, ['classes', at], false)),
    ...classes.flatMap((one, at) =>
      classes.slice(0, at).some((before) => fitsAllOf(before, one))
        ? [says(['classes', at], 'a class before it fits all of its vehicles, so that it never counts')]
        : [],
    ),
  ];
  if (free && free.when === 'fits' && entryGraceMinutes > free.minutes) {
    found.push(
      says(['entryGraceMinutes'], `a stay of ${free.minutes} minutes is free already: leave one of them out`),
    );
  }
  if (free && free.per === 'visit' && free.again !== 'nothing') {
    found.push(says(['free', 'again'], 'only free time of a plate can be had again: say per plate-24h'));
  }
  if (tariff.straddle === 'pro-rata') {
    found.push(
      ...inPartedSteps(tariff, []),
      ...classes.flatMap((one, at) => inPartedSteps(one, ['classes', at])),
    );
  }
  if (usesHolidays(tariff) && tariff.holidays.length === 0) {
    found.push(says(['holidays'], 'a window asks for holidays, and none are named'));
  }
  return found;
}

function inRates(rates: TariffRates, place: Place, mayBeEmpty: boolean): Contradiction[] {
  const { bands, day, flatRates } = rates;
  const found: Contradiction[] = [];
  if (bands.length === 0 && !day && !mayBeEmpty) {
    found.push(says([...place, 'bands'], 'nothing has a price: add bands, or a day'));
  }
  bands.forEach(({ steps, window }, at) => {
    found.push(...inSteps(steps, [...place, 'bands', at, 'steps'], day !== undefined));
    if (window) found.push(...inWindow(window, [...place, 'bands', at, 'window']));
    if (window === undefined && at < bands.length - 1) {
      const path = [...place, 'bands', at, 'window'];
      found.push(says(path, 'this band is open at all times, so that those after it never count'));
    }
  });
  for (const at of bandsNeverReached(bands)) {
    const path = [...place, 'bands', at, 'window'];
    found.push(says(path, 'bands before it are open at all of these times, so that it never counts'));
  }
  flatRates.forEach(({ entry, exit, untilNext, within, withinMinutes }, at) => {
    const shortest = shortestBetween(entry, exit);
    if (shortest !== null && withinMinutes !== undefined && shortest >= withinMinutes) {
      const message = `a stay from one window to the other is longer than ${withinMinutes} minutes`;
      found.push(says([...place, 'flatRates', at, 'withinMinutes'], message));
    }
    if (isWholeWeek(exit) && untilNext === undefined && within === undefined && withinMinutes === undefined) {
      const message = 'of any length it has no end: say exit, untilNext, within or withinMinutes';
      found.push(says([...place, 'flatRates', at, 'exit'], message));
    }
    found.push(...inWindow(entry, [...place, 'flatRates', at, 'entry']));
    found.push(...inWindow(exit, [...place, 'flatRates', at, 'exit']));
  });
  if (day) {
    const path = [...place, 'day', 'prices'];
    if (day.prices[0]?.fromDay !== 1) found.push(says(path, 'the first price must be from day 1'));
    if (!ascends(day.prices.map(({ fromDay }) => fromDay))) {
      found.push(says(path, 'each price must be from a later day than the one before'));
    }
    if (bands.length === 0 && day.partial === 'hours') {
      const message = 'there are no bands that price hours: choose full-day, or free';
      found.push(says([...place, 'day', 'partial'], message));
    }
  }
  flatRates.forEach((rate, at) => {
    if (flatRates.slice(0, at).some((before) => hasSameTimes(before, rate))) {
      found.push(says([...place, 'flatRates', at], 'another flat rate before it is for the same times'));
    }
  });
  return [...found, ...inCaps(rates, place)];
}

/** Caps that contradict the rest, such as a total below one of its parts. */
function inCaps({ bands, day, caps }: TariffRates, place: Place): Contradiction[] {
  const { weekMinor, visitMinor } = caps;
  const [week, visit] = [
    [...place, 'caps', 'weekMinor'],
    [...place, 'caps', 'visitMinor'],
  ];
  const found: Contradiction[] = [];
  if (weekMinor !== undefined && !day) {
    found.push(says(week, 'a cap of seven days needs to know what a day is: add day'));
  }
  if (caps.week === 'calendar' && day?.kind !== 'calendar') {
    found.push(
      says(
        [...place, 'caps', 'week'],
        'a week of the calendar has days of the calendar: choose day.kind calendar',
      ),
    );
  }
  if (weekMinor !== undefined && visitMinor !== undefined && visitMinor < weekMinor) {
    found.push(says(visit, `is less than a week (${weekMinor}), whose cap would never count`));
  }
  if (!day) return found;
  const prices = day.prices.map(({ priceMinor }) => priceMinor);
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  if (weekMinor !== undefined && weekMinor < least) {
    found.push(says(week, `is less than a day (${least}), whose price would never count`));
  }
  if (visitMinor !== undefined && visitMinor < least) {
    found.push(says(visit, `is less than a day (${least}), whose price would never count`));
  }
  bands.forEach(({ steps }, band) => {
    steps.forEach(({ priceMinor }, at) => {
      if (priceMinor <= most) return;
      const path = [...place, 'bands', band, 'steps', at, 'priceMinor'];
      found.push(says(path, `is more than a day costs (${most}), so that it never counts`));
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
function inPartedSteps({ bands }: TariffRates, place: Place): Contradiction[] {
  if (bands.length < 2) return [];
  const message = 'of a price for the rest there is no part (pro-rata): say for how many minutes it is';
  return bands.flatMap(({ steps }, band) =>
    steps.flatMap((step, at) =>
      step.kind === 'flat' && step.minutes === undefined
        ? [says([...place, 'bands', band, 'steps', at, 'minutes'], message)]
        : [],
    ),
  );
}

function inSteps(steps: readonly TariffStep[], place: Place, perDay: boolean): Contradiction[] {
  const found: Contradiction[] = [];
  let table: { minutes: number; priceMinor: number } | undefined;
  steps.forEach((step, at) => {
    const path = [...place, at];
    const isLast = at === steps.length - 1;
    if (step.kind === 'up-to') {
      if (at > 0 && !table) found.push(says(path, 'up-to stands before all other steps'));
      if (table && step.minutes <= table.minutes) {
        found.push(says([...path, 'minutes'], `must be more than the ${table.minutes} minutes before it`));
      }
      if (table && step.priceMinor < table.priceMinor) {
        found.push(says([...path, 'priceMinor'], 'a longer stay would cost less than a shorter one'));
      }
      table = step;
    } else {
      if (!isLast && step.minutes === undefined) {
        found.push(says([...path, 'minutes'], 'this step never ends, so that those after it never count'));
      }
      if (step.kind === 'each' && step.minutes !== undefined && step.minutes % step.everyMinutes !== 0) {
        found.push(says([...path, 'minutes'], `must be a multiple of ${step.everyMinutes}`));
      }
    }
    if (isLast && step.minutes !== undefined && !perDay) {
      const message = 'nothing is said of longer stays: leave minutes out of the last step, or add a day';
      found.push(says([...path, 'minutes'], message));
    }
  });
  return found;
}

function inWindow(window: TariffWindow, place: Place): Contradiction[] {
  const found: Contradiction[] = [];
  if (new Set(window.weekdays).size !== (window.weekdays?.length ?? 0)) {
    found.push(says([...place, 'weekdays'], 'a day is named twice'));
  }
  window.dates?.forEach(({ from, to }, at) => {
    const path = [...place, 'dates', at, 'to'];
    if (from.length !== to.length) found.push(says(path, 'both need a year, or neither'));
    else if (from.length > 5 && to < from) found.push(says(path, 'is before its from'));
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

function says(path: Place, message: string): Contradiction {
  return { path, message };
}
