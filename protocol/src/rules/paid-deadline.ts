import type { UtcTime } from '../base/utc-time.ts';

/** The time to show to a driver as the end of what is paid; null: none. @param times as a program answers them */
export function deadlineOf({
  leaveBy,
  daysUntil,
  paidUntil,
}: {
  leaveBy?: UtcTime | null | undefined;
  daysUntil?: UtcTime | null | undefined;
  paidUntil: UtcTime | null;
}): UtcTime | null {
  // A program of before has no `leaveBy`.
  return leaveBy === undefined ? (daysUntil ?? paidUntil) : leaveBy;
}
