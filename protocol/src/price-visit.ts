import type { Product } from './product.ts';
import { dailyWindow, isAlwaysOpen } from './site-time.ts';
import { DAY_MS, millis, type UtcTime } from './utc-time.ts';

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
  rule: 'unit' | 'units-met' | 'waived';
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
  if (met > 0) lines.push({ rule: 'units-met', units: -met, amountMinor: 0 - met * product.priceMinor });
  return {
    amountMinor: (units - met) * product.priceMinor,
    currency: product.currency,
    units,
    lines,
    product: { id: product.id, version: product.version },
  };
}

/** The price of a stay that may leave without paying what it owes: within a grace, or because nobody bills it. */
export function waivePrice(price: Price): Price {
  if (price.amountMinor === 0) return price;
  const unitsDue = price.lines.reduce((sum, line) => sum + line.units, 0);
  const waived = { rule: 'waived' as const, units: -unitsDue, amountMinor: -price.amountMinor };
  return { ...price, amountMinor: 0, lines: [...price.lines, waived] };
}

function countUnits({ product, startedAt, until, timeZone, covered = [] }: PriceQuestion): number {
  const start = millis(startedAt);
  let units = 0;
  /** Units before this one are counted, or never will be. */
  let next = 0;
  for (const uncovered of withoutPeriods({ from: startedAt, to: until }, covered)) {
    for (const active of activeTime(uncovered, product, timeZone)) {
      const first = Math.max(next, Math.floor((millis(active.from) - start) / DAY_MS));
      const end = Math.ceil((millis(active.to) - start) / DAY_MS);
      units += Math.max(0, end - first);
      next = Math.max(next, end);
    }
  }
  return units;
}

function activeTime(period: Period, { config }: Product, timeZone: string): Iterable<Period> {
  return isAlwaysOpen(config) ? [period] : dailyWindow(period.from, period.to, config, timeZone);
}

/** What is left of a period, in order, when others are cut out of it. */
function* withoutPeriods(period: Period, cuts: readonly Period[]): Generator<Period> {
  let { from } = period;
  for (const cut of cuts.toSorted((a, b) => millis(a.from) - millis(b.from))) {
    if (cut.from >= period.to) break;
    if (from < cut.from) yield { from, to: cut.from };
    if (from < cut.to) from = cut.to;
  }
  if (from < period.to) yield { from, to: period.to };
}
