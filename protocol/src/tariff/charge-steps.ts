import { MINUTE_MS } from '../base/durations.ts';
import type { BandStretch, BandTimeline } from './band-timeline.ts';
import type { Tariff, TariffBand, TariffStep } from './tariff-shape.ts';

/** A step and its position in a stay, in milliseconds of charged time. */
export interface PlacedStep {
  /** The price of a started unit. */
  priceMinor: number;
  unitMs: number;
  from: number;
  to: number;
  band: TariffBand;
}

/** Started units of a step: one, or several in a row with the same price. */
export interface Charge {
  at: number;
  step: PlacedStep;
  units: number;
  /** The sum of all of them. */
  amountMinor: number;
  /** The opening of the band's window in which it began. */
  openingDay: number;
}

/** The state of charging at a moment, from which it continues. */
export interface Meter {
  /** The end of the time that is paid for. */
  paidUntil: number;
  /** The charged time since the first step. */
  position: number;
  /** The start of the run of one band to which `position` belongs. */
  runFrom: number;
}

const placed = new WeakMap<TariffBand, PlacedStep[]>();

/** The steps of a band in order. A table of totals becomes steps with the difference that each line adds. */
export function placeSteps(band: TariffBand): PlacedStep[] {
  const known = placed.get(band);
  if (known) return known;
  const steps: PlacedStep[] = [];
  let from = 0;
  let totalMinor = 0;
  for (const step of band.steps) {
    const next = place(step, from, totalMinor, band);
    steps.push(next);
    from = next.to;
    if (step.kind === 'up-to') totalMinor = step.priceMinor;
  }
  placed.set(band, steps);
  return steps;
}

function place(step: TariffStep, from: number, totalMinor: number, band: TariffBand): PlacedStep {
  if (step.kind === 'up-to') {
    const to = step.minutes * MINUTE_MS;
    return { priceMinor: step.priceMinor - totalMinor, unitMs: to - from, from, to, band };
  }
  const to = step.minutes === undefined ? Infinity : from + step.minutes * MINUTE_MS;
  const unitMs = step.kind === 'each' ? step.everyMinutes * MINUTE_MS : to - from;
  return { priceMinor: step.priceMinor, unitMs, from, to, band };
}

/** The longest unit that has an end. */
export function longestUnitMs(bands: readonly TariffBand[]): number {
  const units = bands.flatMap(placeSteps).map(({ unitMs }) => unitMs);
  return Math.max(0, ...units.filter(Number.isFinite));
}

/**
 * The units that start between `from` and `to` during one of `stays` (in order). Advances the meter. Time before
 * `paidUntil` is not charged again. A period with a price may be longer than its steps: the rest of it costs that
 * price.
 */
export function* chargeSteps(
  meter: Meter,
  stretch: { from: number; to: number; priceMinor: number | undefined },
  stays: readonly { from: number; to: number }[],
  timeline: BandTimeline,
  straddle: Tariff['straddle'],
): Generator<Charge> {
  let at = Math.max(stretch.from, meter.paidUntil);
  const stayEnds = stays.at(-1)?.to ?? at;
  /** Time that the previous part of the stay has paid for beyond its own end. */
  let paidOnMs = 0;
  for (const stay of stays) {
    // Time outside the stay does not use up paid time.
    const goesOn = straddle !== 'restart' || timeline.at(stay.from).runFrom === meter.runFrom;
    if (paidOnMs > 0 && goesOn) at = Math.max(at, stay.from + paidOnMs);
    at = Math.max(at, stay.from);
    paidOnMs = at > stay.to && paidOnMs > 0 ? at - stay.to : 0;
    const until = Math.min(stay.to, stretch.to);
    while (at < until) {
      const here = timeline.at(at);
      if (here.band === null) {
        at = here.to;
        continue;
      }
      if (straddle === 'restart' && here.runFrom !== meter.runFrom) {
        meter.runFrom = here.runFrom;
        meter.position = 0;
      }
      const step = stepAt(here.band, meter.position) ?? restOf(stretch, here.band, meter.position);
      if (!step) {
        at = here.to;
        continue;
      }
      // Units of one period are equal, and years by the minute have millions of them: count them in one step.
      const stepLeft = step.to - meter.position;
      const within = Math.min(here.to - at, until - at, stepLeft);
      const alike = Math.floor(within / step.unitMs);
      if (alike > 1) {
        const { openingDay } = here;
        const charge = { at, step, units: alike, amountMinor: alike * step.priceMinor, openingDay };
        meter.position += alike * step.unitMs;
        at += alike * step.unitMs;
        meter.paidUntil = at;
        yield charge;
        continue;
      }
      const unitMs = Math.min(step.unitMs, stepLeft);
      // A step without a length covers the night only, not the day after it.
      const endsWithBand = straddle === 'restart' || unitMs === Infinity;
      const runTo = endsWithBand ? endOfRun(timeline, here, Math.min(at + unitMs, stayEnds)) : Infinity;
      const end = Math.min(at + unitMs, runTo, stretch.to);
      const amountMinor =
        straddle === 'pro-rata' && Number.isFinite(unitMs)
          ? proRata(timeline, at, at + unitMs, meter.position)
          : step.priceMinor;
      const charge = { at, step, units: 1, amountMinor, openingDay: here.openingDay };
      meter.position += end - at;
      meter.paidUntil = end;
      at = end;
      // A price for the rest of a band or day ends with that band or day.
      paidOnMs = Number.isFinite(unitMs) && end === charge.at + unitMs ? Math.max(0, end - stay.to) : 0;
      yield charge;
    }
    if (at >= stretch.to) return;
  }
}

function stepAt(band: TariffBand, position: number): PlacedStep | undefined {
  return placeSteps(band).find(({ to }) => position < to);
}

function restOf(
  { priceMinor }: { priceMinor: number | undefined },
  band: TariffBand,
  from: number,
): PlacedStep | undefined {
  return priceMinor === undefined ? undefined : { priceMinor, unitMs: Infinity, from, to: Infinity, band };
}

/** The end of the band that is charged at this moment, searched no further than `enough`. */
function endOfRun(timeline: BandTimeline, here: BandStretch, enough: number): number {
  let { to } = here;
  while (to < enough) {
    const next = timeline.at(to);
    if (next.band !== here.band) return to;
    to = next.to;
  }
  return to;
}

/** The price of a unit with parts that are charged by their bands. Rounded to the nearest, halves up. */
function proRata(timeline: BandTimeline, from: number, to: number, position: number): number {
  // Fractions have a common denominator, so that only the result is rounded.
  let over = 0n;
  let under = 1n;
  for (let at = from; at < to; ) {
    const here = timeline.at(at);
    const until = Math.min(here.to, to);
    const step = here.band && stepAt(here.band, position);
    if (step) {
      const unit = BigInt(Number.isFinite(step.unitMs) ? step.unitMs : to - from);
      over = over * unit + BigInt(step.priceMinor) * BigInt(until - at) * under;
      under *= unit;
    }
    at = until;
  }
  return Number((2n * over + under) / (2n * under));
}
