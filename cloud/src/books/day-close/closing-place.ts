import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { daySpan } from '../../platform/day-span.ts';

/** The place and the day that a close is about. */
export interface ClosingPlace {
  /** Null: what belongs to several sites. */
  siteId: string | null;
  timeZone: string;
  /** Null: of several sites. */
  currency: string | null;
  day: string;
}

export function spanOf({ day, timeZone }: ClosingPlace): { from: UtcTime; before: UtcTime } {
  return daySpan(day, timeZone);
}
