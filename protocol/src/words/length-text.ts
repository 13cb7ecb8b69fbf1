import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/durations.ts';

/** A number of each unit, in words. */
export type LengthWords = Record<'days' | 'hours' | 'minutes', (values: { n: number }) => string>;

/** How long it is between two moments, in the two largest of days, hours and minutes. */
export function lengthText(from: string, to: Date, words: LengthWords): string {
  const lengthMs = Math.max(0, to.getTime() - Date.parse(from));
  const parts = [
    [Math.floor(lengthMs / DAY_MS), words.days],
    [Math.floor(lengthMs / HOUR_MS) % 24, words.hours],
    [Math.floor(lengthMs / MINUTE_MS) % 60, words.minutes],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return words.minutes({ n: 0 });
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, text]) => text({ n: count }))
    .join(' ');
}

/** A length of time in the words that people use. */
export type DurationWords = LengthWords & { moments: string };

/** A length of time in the words that people use: `2 h 10 min`. */
export function durationText(ms: number, words: DurationWords): string {
  const minutes = Math.floor(Math.max(0, ms) / MINUTE_MS);
  if (minutes < 1) return words.moments;
  if (minutes < 60) return words.minutes({ n: minutes });
  if (minutes >= 48 * 60) return words.days({ n: Math.floor(minutes / (24 * 60)) });
  const rest = minutes % 60;
  const hours = words.hours({ n: Math.floor(minutes / 60) });
  return rest === 0 ? hours : `${hours} ${words.minutes({ n: rest })}`;
}
