import { wallProblem } from '@hlid/protocol/base/moment';

/** The message for a time that cannot be read, or that is no single moment of the wall clock. */
export function noSuchTime(text: string, timeZone: string): string {
  switch (wallProblem(text, timeZone)) {
    case 'skipped':
      return `${text} does not exist in ${timeZone}: the clocks are put forward over it`;
    case 'twice':
      return `${text} occurs twice in ${timeZone}, as the clocks are put back: write it with its offset, such as ${text}+01:00`;
    default:
      return `there is no such time: ${text} (ISO 8601, such as 2026-11-20T08:00 or 2026-11-20T08:00Z)`;
  }
}
