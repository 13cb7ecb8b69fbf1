import { DAY_MINUTES } from '../base/durations.ts';
import { type Mistake, mistake } from '../base/mistakes/mistake.ts';
import type { Tariff, TariffBand, TariffFlatRate, TariffRates } from './tariff-shape.ts';
import { nightOfOtherDay, windowGaps, windowOverlaps } from './week-of-windows.ts';

type Place = (string | number)[];

/**
 * Settings of a valid tariff that may be a mistake: bands that overlap in part, times between bands, which
 * are free, nights of another day, caps below the price of a step, and flat rates that are never the
 * cheapest.
 */
export function tariffWarnings(tariff: Tariff): Mistake[] {
  const { classes, flatRateChoice } = tariff;
  return [
    ...inRates(tariff, [], flatRateChoice),
    ...classes.flatMap((rates, at) => inRates(rates, ['classes', at], flatRateChoice)),
  ];
}

function inRates(rates: TariffRates, place: Place, choice: Tariff['flatRateChoice']): Mistake[] {
  const { bands, flatRates } = rates;
  return [
    ...inBands(bands, [...place, 'bands']),
    ...inNights(bands, [...place, 'bands']),
    ...inCaps(rates, place),
    ...flatRates.flatMap((rate, at) => inFlatRate(rate, rates, [...place, 'flatRates', at], choice)),
  ];
}

function inBands(bands: readonly TariffBand[], place: Place): Mistake[] {
  const overlaps = windowOverlaps(bands).map(({ first, second, at }) =>
    mistake('windows-overlap', [...place, second, 'window'], {
      first: first + 1,
      weekday: at.weekday,
      from: at.from,
      to: at.to,
    }),
  );
  const [gap, ...others] = windowGaps(bands);
  if (gap === undefined) return overlaps;
  const { weekday, from, to } = gap;
  return [...overlaps, mistake('windows-gap', place, { weekday, from, to, more: others.length })];
}

function inNights(bands: readonly TariffBand[], place: Place): Mistake[] {
  return bands.flatMap(({ window }, at) => {
    const others = bands.flatMap((other, place) =>
      place === at || other.window === undefined ? [] : [other.window],
    );
    const night = window && nightOfOtherDay(window, others);
    return night ? [mistake('night-of-other-day', [...place, at, 'window'], night)] : [];
  });
}

/** Caps below the price of one step. Where a day has a price, a step above it is a contradiction. */
function inCaps({ bands, day, caps }: TariffRates, place: Place): Mistake[] {
  const mostOf = ({ steps }: TariffBand) => Math.max(...steps.map(({ priceMinor }) => priceMinor));
  const below = (capMinor: number | undefined, stepMinor: number, path: Place) =>
    capMinor === undefined || capMinor >= stepMinor ? [] : [mistake('cap-below-step', path, { stepMinor })];
  const visitCap =
    day === undefined && bands.length > 0
      ? below(caps.visitMinor, Math.max(...bands.map(mostOf)), [...place, 'caps', 'visitMinor'])
      : [];
  return [
    ...bands.flatMap((band, at) => below(band.capMinor, mostOf(band), [...place, 'bands', at, 'capMinor'])),
    ...visitCap,
  ];
}

function inFlatRate(
  rate: TariffFlatRate,
  { day }: TariffRates,
  place: Place,
  choice: Tariff['flatRateChoice'],
): Mistake[] {
  const found = (['entry', 'exit'] as const).flatMap((end) => {
    const night = nightOfOtherDay(rate[end], []);
    return night ? [mistake('night-of-other-day', [...place, end], night)] : [];
  });
  const dayMinor = day?.prices.find(({ fromDay }) => fromDay === 1)?.priceMinor;
  const isNeverCheaper =
    choice === 'cheapest' &&
    dayMinor !== undefined &&
    rate.priceMinor >= dayMinor &&
    isWithinOneDay(rate, day?.kind);
  return isNeverCheaper
    ? [...found, mistake('flat-rate-never-cheaper', [...place, 'priceMinor'], { dayMinor })]
    : found;
}

/** Whether every stay at the flat rate is within one day of the tariff. */
function isWithinOneDay(
  { within, withinMinutes = Infinity, untilNext }: TariffFlatRate,
  kind: 'rolling' | 'calendar' | undefined,
): boolean {
  if (within === 'day') return true;
  return kind === 'rolling' && (withinMinutes <= DAY_MINUTES || untilNext !== undefined);
}
