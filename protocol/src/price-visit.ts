import type { Product } from './product.ts';
import { touchesDailyWindow } from './site-time.ts';
import { DAY_MS, millis, type UtcTime, utcTime } from './utc-time.ts';

/** A stretch of time, its end not included. */
export interface Period {
  from: UtcTime;
  to: UtcTime;
}

export interface PriceQuestion {
  product: Product;
  startedAt: UtcTime;
  /** Until when the stay is priced: its end, or now. */
  until: UtcTime;
  /** IANA zone of the site. */
  timeZone: string;
  /** Time that permits cover; a unit whose whole stay is covered is not due. */
  covered?: readonly Period[];
  /** Units met already, by payments or a quota. */
  unitsMet?: number;
}

/** One line of a price: the rule that made it, and how often. */
export interface PriceLine {
  rule: 'unit' | 'units-met';
  units: number;
  /** Below zero for what is taken off. */
  amountMinor: number;
}

export interface Price {
  /** What is due. */
  amountMinor: number;
  currency: string;
  /** Units that count, before payments and quotas. */
  units: number;
  lines: PriceLine[];
  product: { id: string; version: number };
}

/**
 * Prices a stay by started units of 24 elapsed hours. A unit counts only where the uncovered stay inside it touches
 * the product's active window. A stay of no length has no unit.
 */
export function priceVisit(question: PriceQuestion): Price {
  const { product, unitsMet = 0 } = question;
  const units = countUnits(question);
  const met = Math.min(units, unitsMet);
  const lines: PriceLine[] = [];
  if (units > 0) lines.push({ rule: 'unit', units, amountMinor: units * product.priceMinor });
  if (met > 0) lines.push({ rule: 'units-met', units: -met, amountMinor: -met * product.priceMinor });
  return {
    amountMinor: (units - met) * product.priceMinor,
    currency: product.currency,
    units,
    lines,
    product: { id: product.id, version: product.version },
  };
}

function countUnits({ product, startedAt, until, timeZone, covered = [] }: PriceQuestion): number {
  const start = millis(startedAt);
  const end = millis(until);
  let units = 0;
  for (let unitStart = start; unitStart < end; unitStart += DAY_MS) {
    const unit = { from: utcTime(unitStart), to: utcTime(Math.min(unitStart + DAY_MS, end)) };
    const counts = withoutPeriods(unit, covered).some((rest) =>
      touchesDailyWindow(rest.from, rest.to, product.config, timeZone),
    );
    if (counts) units++;
  }
  return units;
}

/** What is left of a period when others are cut out of it. */
function withoutPeriods(period: Period, cuts: readonly Period[]): Period[] {
  let rest = [period];
  for (const cut of cuts) {
    rest = rest.flatMap((piece) => {
      if (cut.to <= piece.from || cut.from >= piece.to) return [piece];
      const pieces: Period[] = [];
      if (cut.from > piece.from) pieces.push({ from: piece.from, to: cut.from });
      if (cut.to < piece.to) pieces.push({ from: cut.to, to: piece.to });
      return pieces;
    });
  }
  return rest;
}
