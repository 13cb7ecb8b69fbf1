import { DAY_MS } from '@hlid/protocol/base/durations';

const SATURDAY = 6;
const DAY_LENGTH = 'YYYY-MM-DD'.length;

/** The day so many days of banks after a day. Their holidays are not known here: what is due then is due late. */
export function workDayAfter(day: string, days: number): string {
  let at = Date.parse(day);
  for (let left = days; left > 0; ) {
    at += DAY_MS;
    const weekday = new Date(at).getUTCDay();
    if (weekday !== 0 && weekday !== SATURDAY) left--;
  }
  return new Date(at).toISOString().slice(0, DAY_LENGTH);
}
