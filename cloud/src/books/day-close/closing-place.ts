import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { daySpan } from '../../platform/day-span.ts';
import type { WorkDays } from './work-days.ts';

/** The place and the day that a close is about. */
export interface ClosingPlace {
  /** Null: what belongs to several sites. */
  siteId: string | null;
  timeZone: string;
  /** Null: of several sites. */
  currency: string | null;
  day: string;
  /** The countries of its sellers: their banks get the money. */
  countries: readonly string[];
}

/** The same while its day is compared. */
export interface ComparedPlace extends ClosingPlace {
  /** The days on which the banks of its sellers work. */
  workDays: WorkDays;
}

export function spanOf({ day, timeZone }: ClosingPlace): { from: UtcTime; before: UtcTime } {
  return daySpan(day, timeZone);
}
