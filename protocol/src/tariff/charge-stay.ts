import { Temporal } from 'temporal-polyfill';
import { DAY_MS, MINUTE_MS } from '../base/durations.ts';
import { createBandTimeline, type SiteCalendar } from './band-timeline.ts';
import { createBill } from './bill.ts';
import { type Charge, chargeSteps, longestUnitMs, type Meter } from './charge-steps.ts';
import type { PriceLine } from './price-line.ts';
import type { Tariff, TariffDay, TariffRates } from './tariff-shape.ts';

/** A period in milliseconds since 1970, without its end. */
export interface Span {
  from: number;
  to: number;
}

/** A day of a stay. */
interface StayDay extends Span {
  /** Counted from 1. */
  number: number;
}

/** Started units, and the discount by the cap of their band's opening. */
interface CutCharge extends Charge {
  cutMinor: number;
  /** The number of units with this discount. */
  cutUnits: number;
  /** The start of the last of them. */
  lastAt: number;
}

const WEEK_DAYS = 7;

/**
 * The price of a stay by bands, days and caps. `stays` are the charged periods in order; none begins before `anchor`,
 * where the first day begins.
 */
export function chargeStay(
  given: TariffRates,
  straddle: Tariff['straddle'],
  anchor: number,
  stays: readonly Span[],
  calendar: SiteCalendar,
): { totalMinor: number; lines: PriceLine[]; lastChargedAt: number | null } {
  const end = stays.at(-1)?.to ?? anchor;
  const { bands, day, caps } = ratesOfLength(given, end - anchor);
  const timeline = createBandTimeline(bands, anchor, end + longestUnitMs(bands), calendar);
  const meter: Meter = { paidUntil: anchor, position: 0, runFrom: Number.NaN };
  const bill = createBill();
  const openings = new Map<string, number>();
  let totalMinor = 0;
  let weekMinor = 0;
  let lastChargedAt: number | null = null;

  for (const today of daysOf(day, anchor, end, calendar.timeZone)) {
    if (day?.stepsRestart) {
      meter.position = 0;
      meter.runFrom = Number.NaN;
    }
    if (caps.week === 'calendar' ? isMonday(today.from, calendar) : (today.number - 1) % WEEK_DAYS === 0) {
      weekMinor = 0;
    }
    const charged = chargeDay(today);
    if (charged === null) continue;
    lastChargedAt = charged.lastAt;
    const room = (caps.weekMinor ?? Infinity) - weekMinor;
    const amountMinor = Math.min(charged.amountMinor, room);
    if (amountMinor < charged.amountMinor) {
      bill.add({ rule: 'cap', capOf: 'week', units: 1, amountMinor: amountMinor - charged.amountMinor });
    }
    weekMinor += amountMinor;
    totalMinor += amountMinor;
  }

  const { visitMinor = Infinity } = caps;
  if (totalMinor > visitMinor) {
    bill.add({ rule: 'cap', capOf: 'visit', units: 1, amountMinor: visitMinor - totalMinor });
    totalMinor = visitMinor;
  }
  return { totalMinor, lines: bill.lines(), lastChargedAt };

  /** Adds the lines of one day; null if nothing is charged. */
  function chargeDay(today: StayDay): { amountMinor: number; lastAt: number } | null {
    const limit = day ? dayPrice(day, today.number) : Infinity;
    const isLater = today.number > 1;
    const isOver = today.to <= end;
    if (isLater && !isOver && day?.partial === 'free') return null;
    const wholeDay = bands.length === 0 || (isLater && day?.partial === 'full-day');

    const charges: CutCharge[] = [];
    let sum = 0;
    // Above this amount the rest of the day is free.
    const enoughMinor = day?.stepsRestart ? (wholeDay ? 0 : limit) : Infinity;
    for (const charge of chargesOf({ ...today, priceMinor: day && limit }, enoughMinor)) {
      charges.push(charge);
      sum += charge.amountMinor;
    }
    const first = charges[0]?.at ?? stays.find(({ from, to }) => from < today.to && to > today.from)?.from;
    if (first === undefined || (bands.length > 0 && charges.length === 0)) return null;
    const lastAt = charges.at(-1)?.lastAt ?? Math.max(first, today.from);
    if (wholeDay || sum >= limit) {
      meter.paidUntil = Math.max(meter.paidUntil, Math.min(today.to, end));
      bill.add({ rule: 'day', units: 1, unitMinor: limit, amountMinor: limit });
      return { amountMinor: limit, lastAt };
    }
    for (const { step, units, amountMinor, cutMinor, cutUnits } of charges) {
      const { label } = step.band;
      const fullMinor = amountMinor + cutMinor;
      const minutes = Number.isFinite(step.unitMs) ? { minutes: step.unitMs / MINUTE_MS } : {};
      const line = { rule: 'step', units, unitMinor: fullMinor / units, amountMinor: fullMinor } as const;
      bill.add({ ...line, ...minutes, ...(label && { label }) });
      if (cutMinor > 0) bill.add({ rule: 'cap', capOf: 'opening', units: cutUnits, amountMinor: -cutMinor });
    }
    return { amountMinor: sum, lastAt };
  }

  /** The day's started units up to a max amount, with the caps of each band's opening. */
  function* chargesOf(
    today: Span & { priceMinor: number | undefined },
    enoughMinor: number,
  ): Generator<CutCharge> {
    let sum = 0;
    for (const charge of chargeSteps(meter, today, stays, timeline, straddle)) {
      const { at, step, openingDay } = charge;
      const { capMinor } = step.band;
      const key = `${bands.indexOf(step.band)} ${openingDay}`;
      const before = openings.get(key) ?? 0;
      const roomMinor = (capMinor ?? Infinity) - before;
      const eachMinor = charge.amountMinor / charge.units;
      const isEnough = sum + Math.min(charge.amountMinor, roomMinor) >= enoughMinor;
      const units = isEnough ? unitsFor(enoughMinor - sum, eachMinor) : charge.units;
      const amountMinor = Math.min(units * eachMinor, roomMinor);
      const cutMinor = units * eachMinor - amountMinor;
      const cutUnits = cutMinor > 0 ? units - Math.floor(roomMinor / eachMinor) : 0;
      const lastAt = units > 1 ? at + (units - 1) * step.unitMs : at;
      if (capMinor !== undefined) openings.set(key, before + amountMinor);
      sum += amountMinor;
      yield { at, step, openingDay, units, amountMinor, cutMinor, cutUnits, lastAt };
      if (isEnough) return;
    }
  }
}

function isMonday(at: number, { timeZone }: SiteCalendar): boolean {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).dayOfWeek === 1;
}

/**
 * The rates of a tariff with a limit for short stays: short stays are priced by bands only, longer ones by
 * days only.
 */
function ratesOfLength(rates: TariffRates, ms: number): Pick<TariffRates, 'bands' | 'day' | 'caps'> {
  const { bands, day, caps } = rates;
  if (day?.shortStayMinutes === undefined) return rates;
  return ms <= day.shortStayMinutes * MINUTE_MS ? { bands, day: undefined, caps } : { bands: [], day, caps };
}

/** The number of units that reach an amount; at least one. */
function unitsFor(wantedMinor: number, eachMinor: number): number {
  return Math.max(1, Math.ceil(wantedMinor / Math.max(1, eachMinor)));
}

function dayPrice(day: TariffDay, number: number): number {
  return day.prices.findLast(({ fromDay }) => fromDay <= number)?.priceMinor ?? Infinity;
}

function* daysOf(
  day: TariffDay | undefined,
  anchor: number,
  end: number,
  timeZone: string,
): Generator<StayDay> {
  if (!day) {
    yield { number: 1, from: anchor, to: Infinity };
    return;
  }
  const local = Temporal.Instant.fromEpochMilliseconds(anchor).toZonedDateTimeISO(timeZone);
  let from = anchor;
  for (let number = 1; from < end; number++) {
    const to =
      day.kind === 'rolling'
        ? from + DAY_MS
        : local.toPlainDate().add({ days: number }).toZonedDateTime(timeZone).epochMilliseconds;
    yield { number, from, to };
    from = to;
  }
}
