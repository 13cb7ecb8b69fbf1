import { Temporal } from 'temporal-polyfill';
import { DAY_MS, MINUTE_MS } from '../base/durations.ts';
import { type Period, withoutPeriods } from '../base/periods.ts';
import { millis, type UtcTime, utcTime } from '../base/utc-time.ts';
import type { VehicleCategory } from '../plate/vehicle-category.ts';
import { openingsOf, type SiteCalendar } from './band-timeline.ts';
import { createBill } from './bill.ts';
import { chargeStay, type Span } from './charge-stay.ts';
import type { PriceLine } from './price-line.ts';
import type { FreeTime, Tariff, TariffFlatRate, TariffRates } from './tariff-shape.ts';

/** The known facts of a vehicle; an absent field is unknown. */
export interface PricedVehicle {
  /** An unknown category counts as light. */
  category?: VehicleCategory;
  /** The registered seats. */
  seats?: number;
  /** Largest permitted mass. */
  massKg?: number;
}

export interface TariffQuestion {
  startedAt: UtcTime;
  /** The end of the priced time: the end of the stay, or now. */
  until: UtcTime;
  /** IANA zone of the site. */
  timeZone: string;
  vehicle?: PricedVehicle | undefined;
  /** Time that permits cover. */
  covered?: readonly Period[] | undefined;
  /** Units of 24 hours from the start that a quota covers. */
  quotaUnits?: number | undefined;
  /** Already paid for this stay. */
  paidMinor?: number | undefined;
  /** Stays of the same plate that began in the 24 hours before this one, for free time once per period and plate. */
  earlierStays?: readonly Period[] | undefined;
  /** When and how it is paid, for fees; absent: no fees. */
  payment?: { at: UtcTime; channel: 'kiosk' | 'online' } | undefined;
}

export interface TariffPrice {
  /** The amount due. */
  amountMinor: number;
  /** Units of 24 hours from the start with a charge, before payments and quotas. */
  units: number;
  lines: PriceLine[];
}

/** Prices a stay by a tariff. Pure, in integers. Durations are elapsed time; windows and dates are wall clock time. */
export function priceTariff(tariff: Tariff, question: TariffQuestion): TariffPrice {
  const { quotaUnits = 0, paidMinor = 0, covered = [] } = question;
  const whole = priceUncovered(tariff, question, covered);
  const bill = createBill(whole.lines);
  let due = whole.totalMinor;
  if (quotaUnits > 0 && due > 0) {
    const { startedAt } = question;
    const met = { from: startedAt, to: utcTime(millis(startedAt) + quotaUnits * DAY_MS) };
    const rest = Math.min(due, priceUncovered(tariff, question, [...covered, met]).totalMinor);
    const units = Math.min(quotaUnits, whole.units);
    bill.add({ rule: 'units-met', units: -units, amountMinor: rest - due });
    due = rest;
  }
  const paid = Math.min(due, paidMinor);
  if (paid > 0) bill.add({ rule: 'paid', units: 1, amountMinor: -paid });
  due -= paid;
  if (due > 0) due += addFees(tariff, question, bill);
  return { amountMinor: due, units: whole.units, lines: bill.lines() };
}

interface Charged {
  totalMinor: number;
  units: number;
  lines: PriceLine[];
}

const NOTHING: Charged = { totalMinor: 0, units: 0, lines: [] };

/** The price of a stay without its free times, before payments. */
function priceUncovered(tariff: Tariff, question: TariffQuestion, covered: readonly Period[]): Charged {
  const { startedAt, until, timeZone } = question;
  const stays = [...withoutPeriods({ from: startedAt, to: until }, covered)].map(inMillis);
  if (tariff.boundary === 'upper') {
    // A stay exactly as long as a step starts the next step.
    const last = stays.at(-1);
    if (last) last.to++;
  }
  const start = millis(startedAt);
  const end = stays.at(-1)?.to ?? start;
  if (stays.length === 0 || end - start <= (tariff.entryGraceMinutes ?? 0) * MINUTE_MS) return NOTHING;

  const freeMs = tariff.free ? freeTimeLeft(tariff.free, question) : 0;
  const stayedMs = stays.reduce((sum, { from, to }) => sum + to - from, 0);
  if (stayedMs <= freeMs) return { ...NOTHING, lines: [freeLine(stayedMs)] };

  const deducted = tariff.free?.when === 'always' && freeMs > 0;
  const charged = deducted ? withoutBeginning(stays, freeMs) : stays;
  const anchor = deducted && stays[0]?.from === start ? (charged[0]?.from ?? start) : start;
  const calendar = { timeZone, holidays: tariff.holidays };
  const rates = ratesFor(tariff, question.vehicle);
  const { lastChargedAt, ...byBands } = chargeStay(rates, tariff.straddle, anchor, charged, calendar);
  const units = lastChargedAt === null ? 0 : Math.floor((lastChargedAt - start) / DAY_MS) + 1;
  const free = deducted ? [freeLine(freeMs)] : [];

  const flat = flatRateFor(rates.flatRates, tariff, { from: start, to: end }, byBands.totalMinor, calendar);
  if (!flat) return { totalMinor: byBands.totalMinor, units, lines: [...free, ...byBands.lines] };
  const { priceMinor: amountMinor, label } = flat;
  const line = { rule: 'flat-rate', units: 1, amountMinor, ...(label && { label }) } as const;
  return { totalMinor: amountMinor, units: Math.max(1, units), lines: [line] };
}

/** The flat rate that applies to the stay, if any. */
function flatRateFor(
  flatRates: readonly TariffFlatRate[],
  { flatRateChoice }: Tariff,
  stay: Span,
  byBandsMinor: number,
  calendar: SiteCalendar,
): TariffFlatRate | undefined {
  const fitting = flatRates.filter(
    (flatRate) =>
      isOpenAt(flatRate.entry, stay.from, calendar) &&
      isOpenAt(flatRate.exit, stay.to, calendar) &&
      isWithinLimits(flatRate, stay, calendar),
  );
  if (flatRateChoice === 'priority') return fitting[0];
  const cheapest = fitting.toSorted((a, b) => a.priceMinor - b.priceMinor)[0];
  return cheapest && cheapest.priceMinor < byBandsMinor ? cheapest : undefined;
}

/** Whether a stay ends early enough for a flat rate: within its limits, else in its first exit window. */
function isWithinLimits(flatRate: TariffFlatRate, stay: Span, calendar: SiteCalendar): boolean {
  const { exit, untilNext, within, withinMinutes } = flatRate;
  if (withinMinutes !== undefined && stay.to - stay.from > withinMinutes * MINUTE_MS) return false;
  // The last minute is included, as at the end of a window.
  if (untilNext !== undefined && stay.to >= nextTime(untilNext, stay.from, calendar.timeZone) + MINUTE_MS) {
    return false;
  }
  if (within !== undefined && !isInOne(within, stay, calendar.timeZone)) return false;
  if (withinMinutes !== undefined || untilNext !== undefined || within !== undefined) return true;
  let runTo: number | null = null;
  for (const { from, to } of openingsOf(exit, stay.from - DAY_MS, stay.to + 1, calendar)) {
    if (to <= stay.from) continue;
    // Consecutive days are one opening.
    if (runTo !== null && from > runTo) return false;
    runTo = to;
  }
  return true;
}

/** The next moment at which the wall clock shows a time. */
function nextTime(time: string, after: number, timeZone: string): number {
  const local = zoned(after, timeZone).toPlainDate();
  const at = (date: Temporal.PlainDate) =>
    date.toZonedDateTime({ timeZone, plainTime: time }).epochMilliseconds;
  return at(local) > after ? at(local) : at(local.add({ days: 1 }));
}

function isInOne(unit: 'day' | 'weekend', stay: Span, timeZone: string): boolean {
  const begins = zoned(stay.from, timeZone).toPlainDate();
  const ends = zoned(stay.to, timeZone).toPlainDate();
  if (unit === 'day') return begins.equals(ends);
  const saturday = begins.subtract({ days: begins.dayOfWeek - 6 });
  return begins.dayOfWeek >= 6 && (ends.equals(saturday) || ends.equals(saturday.add({ days: 1 })));
}

function zoned(at: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
}

function isOpenAt(window: TariffFlatRate['entry'], at: number, calendar: SiteCalendar): boolean {
  for (const { from, to } of openingsOf(window, at - DAY_MS, at + 1, calendar)) {
    if (from <= at && at < to) return true;
  }
  return false;
}

/** The prices for a vehicle: those of the first vehicle class that fits it, or the tariff's own. */
function ratesFor(tariff: Tariff, vehicle: PricedVehicle = {}): TariffRates {
  const { category = 'light', seats = 0, massKg = 0 } = vehicle;
  const fitting = tariff.classes.find(
    (rates) =>
      (rates.category ?? category) === category &&
      seats <= (rates.seatsUpTo ?? seats) &&
      massKg <= (rates.massUpToKg ?? massKg),
  );
  return fitting ?? tariff;
}

/** The free time of the stay, in milliseconds. */
function freeTimeLeft(free: FreeTime, question: TariffQuestion): number {
  const { startedAt, timeZone, earlierStays = [] } = question;
  const allMs = free.minutes * MINUTE_MS;
  if (free.per === 'visit') return allMs;
  const start = millis(startedAt);
  const since = free.per === 'plate-day' ? startOfDay(startedAt, timeZone) : start - DAY_MS + 1;
  let leftMs = allMs;
  for (const { from, to } of earlierStays.map(inMillis).toSorted((a, b) => a.from - b.from)) {
    if (from < since || from >= start) continue;
    const stayedMs = to - from;
    const wasFree = free.when === 'always' || stayedMs <= leftMs;
    if (!wasFree) continue;
    leftMs = free.again === 'rest' ? Math.max(0, leftMs - stayedMs) : 0;
  }
  return leftMs;
}

function startOfDay(at: UtcTime, timeZone: string): number {
  return Temporal.Instant.from(at).toZonedDateTimeISO(timeZone).startOfDay().epochMilliseconds;
}

function addFees(
  tariff: Tariff,
  { until, payment }: TariffQuestion,
  bill: ReturnType<typeof createBill>,
): number {
  if (!payment) return 0;
  let fees = 0;
  const { lateFee, serviceFees } = tariff;
  if (lateFee && millis(payment.at) - millis(until) > lateFee.afterMinutes * MINUTE_MS) {
    bill.add({ rule: 'late-fee', units: 1, amountMinor: lateFee.amountMinor });
    fees += lateFee.amountMinor;
  }
  const serviceFee = serviceFees[payment.channel] ?? 0;
  if (serviceFee > 0) bill.add({ rule: 'service-fee', units: 1, amountMinor: serviceFee });
  return fees + serviceFee;
}

function withoutBeginning(stays: readonly Span[], ms: number): Span[] {
  let left = ms;
  return stays.flatMap(({ from, to }) => {
    const skipped = Math.min(left, to - from);
    left -= skipped;
    return from + skipped < to ? [{ from: from + skipped, to }] : [];
  });
}

function freeLine(ms: number): PriceLine {
  return { rule: 'free', units: Math.ceil(ms / MINUTE_MS), amountMinor: 0 };
}

function inMillis({ from, to }: Period): Span {
  return { from: millis(from), to: millis(to) };
}
