import type { VehicleCategory } from '@hlid/protocol/plate/vehicle-category';
import type { TariffWindow } from '@hlid/protocol/tariff/tariff-shape';

/**
 * A tariff while it is typed. It has the shape of a tariff, in which the defaults may be left out, an amount or a length
 * that is not typed yet is null, and a key that was taken away is undefined.
 */
export interface TariffDraft extends RatesDraft {
  free?: FreeDraft | undefined;
  entryGraceMinutes?: number | undefined;
  exitGraceMinutes?: number | undefined;
  straddle?: 'rate-at-start' | 'pro-rata' | 'restart' | undefined;
  boundary?: 'lower' | 'upper' | undefined;
  flatRateChoice?: 'cheapest' | 'priority' | undefined;
  holidays?: string[] | undefined;
  classes?: ClassDraft[] | undefined;
  lateFee?: { afterMinutes: Typed; amountMinor: Typed } | undefined;
  serviceFees?: { kiosk?: Typed | undefined; online?: Typed | undefined } | undefined;
}

/** A number that has to be typed: null until then. */
export type Typed = number | null;

export interface RatesDraft {
  bands?: BandDraft[] | undefined;
  day?: DayDraft | undefined;
  caps?: CapsDraft | undefined;
  flatRates?: FlatRateDraft[] | undefined;
}

export interface BandDraft {
  label?: LabelDraft | undefined;
  window?: WindowDraft | undefined;
  steps: StepDraft[];
  capMinor?: Typed | undefined;
}

export type LabelDraft = Record<string, string>;

export type WindowDraft = { [Key in keyof TariffWindow]?: TariffWindow[Key] | undefined };

export type StepDraft =
  | { kind: 'flat'; priceMinor: Typed; minutes?: Typed | undefined }
  | { kind: 'each'; priceMinor: Typed; everyMinutes: Typed; minutes?: Typed | undefined }
  | { kind: 'up-to'; priceMinor: Typed; minutes: Typed };

export interface DayDraft {
  kind: 'rolling' | 'calendar';
  prices: DayPriceDraft[];
  partial?: 'hours' | 'full-day' | 'free' | undefined;
  shortStayMinutes?: Typed | undefined;
  stepsRestart?: boolean | undefined;
}

export interface DayPriceDraft {
  fromDay: Typed;
  priceMinor: Typed;
}

export interface CapsDraft {
  weekMinor?: Typed | undefined;
  week?: 'stay' | 'calendar' | undefined;
  visitMinor?: Typed | undefined;
}

export interface FlatRateDraft {
  label?: LabelDraft | undefined;
  entry?: WindowDraft | undefined;
  exit?: WindowDraft | undefined;
  priceMinor: Typed;
  untilNext?: string | undefined;
  within?: 'day' | 'weekend' | undefined;
  withinMinutes?: Typed | undefined;
}

export interface FreeDraft {
  minutes: Typed;
  when?: 'fits' | 'always' | undefined;
  per?: 'visit' | 'plate-24h' | 'plate-day' | undefined;
  again?: 'nothing' | 'rest' | undefined;
}

export interface ClassDraft extends RatesDraft {
  label?: LabelDraft | undefined;
  category?: VehicleCategory | undefined;
  seatsUpTo?: Typed | undefined;
  massUpToKg?: Typed | undefined;
}

/** What was typed as JSON, for the fields of the editor; null: its parts are not what the fields of a tariff are. */
export function draftOf(typed: Record<string, unknown>): TariffDraft | null {
  const { free, classes, holidays, lateFee, serviceFees } = typed;
  const isTariff =
    isRates(typed) &&
    [free, lateFee, serviceFees].every(isObjectOrAbsent) &&
    isListOf(holidays, (one) => typeof one === 'string') &&
    isListOf(classes, (one) => isObject(one) && isRates(one));
  return isTariff ? (typed as TariffDraft) : null;
}

/** Whether everything that has to be typed is there. */
export function isComplete(draft: unknown): boolean {
  if (draft === null) return false;
  return typeof draft !== 'object' || Object.values(draft).every(isComplete);
}

function isRates({ bands, day, caps, flatRates }: Record<string, unknown>): boolean {
  return (
    isListOf(bands, (one) => isObject(one) && isBand(one)) &&
    isObjectOrAbsent(caps) &&
    (day === undefined || (isObject(day) && Array.isArray(day['prices']) && day['prices'].every(isObject))) &&
    isListOf(flatRates, (one) => isObject(one) && isWindow(one['entry']) && isWindow(one['exit']))
  );
}

function isBand({ steps, window, label }: Record<string, unknown>): boolean {
  return Array.isArray(steps) && steps.every(isObject) && isWindow(window) && isObjectOrAbsent(label);
}

function isWindow(typed: unknown): boolean {
  if (typed === undefined) return true;
  return (
    isObject(typed) && isListOf(typed['weekdays'], Number.isInteger) && isListOf(typed['dates'], isObject)
  );
}

function isListOf(typed: unknown, isOne: (one: unknown) => boolean): boolean {
  return typed === undefined || (Array.isArray(typed) && typed.every(isOne));
}

function isObjectOrAbsent(typed: unknown): boolean {
  return typed === undefined || isObject(typed);
}

function isObject(typed: unknown): typed is Record<string, unknown> {
  return typeof typed === 'object' && typed !== null && !Array.isArray(typed);
}
