import { millis, type UtcTime } from './utc-time.ts';

/** A stretch of time, its end not included. */
export interface Period {
  from: UtcTime;
  to: UtcTime;
}

/** The rest of a period, in order, when others are cut out of it. */
export function* withoutPeriods(period: Period, cuts: readonly Period[]): Generator<Period> {
  let { from } = period;
  for (const cut of cuts.toSorted((a, b) => millis(a.from) - millis(b.from))) {
    if (cut.from >= period.to) break;
    if (from < cut.from) yield { from, to: cut.from };
    if (from < cut.to) from = cut.to;
  }
  if (from < period.to) yield { from, to: period.to };
}
