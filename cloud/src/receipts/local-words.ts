import type { UtcTime } from '@hlid/protocol/utc-time';

/** A moment as a receipt says it, by the clock where the car was. */
export function localTime(at: UtcTime, timeZone: string, locale: string): string {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone } as const;
  return new Intl.DateTimeFormat(locale, format).format(new Date(at));
}

/** A rate of VAT, without its sign. */
export function localPercent(rate: number, locale: string): string {
  return rate.toLocaleString(locale, { maximumFractionDigits: 2 });
}
