import type { VehicleCategory } from '@hlid/protocol/plate/vehicle-category';
import type { TariffWindow } from '@hlid/protocol/tariff/tariff-shape';
import { TARIFF_PART } from './draft-parts.ts';

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

/** A draft for the fields of the editor from typed JSON; null: its parts are not those of a tariff. */
export function draftOf(typed: Record<string, unknown>): TariffDraft | null {
  return TARIFF_PART.fits(typed) ? (typed as TariffDraft) : null;
}

/** Whether everything that has to be typed is there. */
export function isComplete(draft: unknown): boolean {
  return countEmpty(draft) === 0;
}

/** How many numbers and times have to be typed that are not there. */
export function countEmpty(draft: unknown): number {
  if (draft === null || draft === '') return 1;
  if (typeof draft !== 'object') return 0;
  return Object.values(draft).reduce<number>((sum, part) => sum + countEmpty(part), 0);
}
