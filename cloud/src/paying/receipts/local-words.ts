import { dateFormat } from '@hlid/protocol/base/formats';
import { type Language, LOCALES } from '@hlid/protocol/base/language';
import type { UtcTime } from '@hlid/protocol/base/utc-time';

/** A moment as a receipt shows it, by the clock where the car was. */
export function localTime(at: UtcTime, timeZone: string, language: Language): string {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone } as const;
  return dateFormat(LOCALES[language], format).format(new Date(at));
}
