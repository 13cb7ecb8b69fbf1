import { DAY_MS, MINUTE_MS } from '../base/durations.ts';
import { type Period, withoutPeriods } from '../base/periods.ts';
import { dailyWindow, isAlwaysOpen } from '../base/site-time.ts';
import { millis, type UtcTime } from '../base/utc-time.ts';
import type { PriceLine } from './price-line.ts';
import { type PricedVehicle, priceTariff, type TariffQuestion } from './price-tariff.ts';
import { type PricedBy, type Product, pricedBy } from './product.ts';

export type { Period } from '../base/periods.ts';

export interface PriceQuestion {
  product: Product;
  startedAt: UtcTime;
  /** The time until which the stay is priced: its end, or now. */
  until: UtcTime;
  /** IANA zone of the site. */
  timeZone: string;
  /** Time that permits cover; a unit with its whole stay covered is not due. */
  covered?: readonly Period[];
  /** Units met already by payments. */
  unitsMet?: number;
  /** Units that a quota meets. */
  quotaUnits?: number;
  /** Paid already in money, not for units. */
  paidMinor?: number;
  /** The vehicle, for a tariff with classes; its category is the product's. */
  vehicle?: PricedVehicle;
  earlierStays?: TariffQuestion['earlierStays'];
  payment?: TariffQuestion['payment'];
}

export interface Price {
  amountMinor: number;
  currency: string;
  /** Units that count, before payments and quotas. */
  units: number;
  lines: PriceLine[];
  product: PricedBy;
}

/**
 * Prices a stay: by the product's tariff where it has one, else by started units of 24 elapsed hours, of which a `visit`
 * product asks for one at most. A unit counts only where the uncovered stay inside it touches the product's active
 * window. A stay of no length has no unit.
 */
export function priceVisit(question: PriceQuestion): Price {
  const { product, unitsMet = 0, quotaUnits = 0, paidMinor = 0 } = question;
  const { tariff } = product.config;
  if (tariff) {
    const vehicle = { category: product.vehicleCategory, ...question.vehicle };
    // Days paid for in advance are not charged by the hour.
    const price = priceTariff(tariff, { ...question, vehicle, quotaUnits: unitsMet + quotaUnits });
    return { ...price, currency: product.currency, product: pricedBy(product) };
  }
  const perVisit = product.type === 'visit';
  const units = perVisit ? Math.min(1, countUnits(question)) : countUnits(question);
  const met = Math.min(units, unitsMet + quotaUnits);
  const lines: PriceLine[] = [];
  const amountMinor = units * product.priceMinor;
  if (units > 0 && perVisit) lines.push({ rule: 'flat-rate', units, amountMinor });
  else if (units > 0) lines.push({ rule: 'unit', units, unitMinor: product.priceMinor, amountMinor });
  if (met > 0) lines.push({ rule: 'units-met', units: -met, amountMinor: 0 - met * product.priceMinor });
  const owed = (units - met) * product.priceMinor;
  const paid = Math.min(owed, paidMinor);
  if (paid > 0) lines.push({ rule: 'paid', units: 1, amountMinor: -paid });
  return {
    amountMinor: owed - paid,
    currency: product.currency,
    units,
    lines,
    product: pricedBy(product),
  };
}

/**
 * The price of a stay that may leave without paying what it owes: within a grace period, or because it is not
 * billed.
 */
export function waivePrice(price: Price): Price {
  if (price.amountMinor === 0) return price;
  const unitsDue = price.lines.reduce((sum, line) => sum + line.units, 0);
  const waived = { rule: 'waived' as const, units: -unitsDue, amountMinor: -price.amountMinor };
  return { ...price, amountMinor: 0, lines: [...price.lines, waived] };
}

/**
 * The price that a site's exit requests. It is nothing for a car that turns round within the site's entry
 * grace. A tariff may have its own grace.
 */
export function priceAtExit(question: PriceQuestion, siteGraceMinutes: number): Price {
  const { product, startedAt, until } = question;
  const { entryGraceMinutes = siteGraceMinutes } = product.config.tariff ?? {};
  const price = priceVisit(question);
  return millis(until) - millis(startedAt) <= entryGraceMinutes * MINUTE_MS ? waivePrice(price) : price;
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
