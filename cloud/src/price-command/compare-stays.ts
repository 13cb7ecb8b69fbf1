import { priceVisit } from '@hlid/protocol/price-visit';
import type { Product } from '@hlid/protocol/product';
import type { VehicleCategory } from '@hlid/protocol/vehicle-category';
import type { PastStay } from './price-stays.ts';

interface Comparison {
  /** What all of them would cost. */
  amount: number;
  currency: string;
  /** What those that have a price cost. */
  was: number;
  /** Of those that have a price: what they would cost less what they did. */
  difference: number;
  dearer: number;
  cheaper: number;
  same: number;
  /** Without a price, or with one in another currency: priced, and not compared. */
  notCompared: number;
  visits: { id: string; from: string; to: string; was: number | null; amount: number }[];
}

/** Prices past stays with other products, beside what they cost; quotas and payments are not taken off either. */
export function compareStays(
  stays: readonly PastStay[],
  pricing: (category: VehicleCategory) => Product,
  timeZone: string,
): Comparison {
  const { currency } = pricing('light');
  const visits = stays.map(({ id, startedAt, endedAt, category, wasMinor, currency: paidIn }) => {
    const product = pricing(category ?? 'light');
    const { amountMinor } = priceVisit({ product, startedAt, until: endedAt, timeZone });
    const was = paidIn === null || paidIn === currency ? wasMinor : null;
    return { id, from: startedAt, to: endedAt, was, amount: amountMinor };
  });
  const differences = visits.flatMap(({ was, amount }) => (was === null ? [] : [amount - was]));
  return {
    amount: visits.reduce((sum, { amount }) => sum + amount, 0),
    currency,
    was: visits.reduce((sum, { was }) => sum + (was ?? 0), 0),
    difference: differences.reduce((sum, difference) => sum + difference, 0),
    dearer: differences.filter((difference) => difference > 0).length,
    cheaper: differences.filter((difference) => difference < 0).length,
    same: differences.filter((difference) => difference === 0).length,
    notCompared: visits.length - differences.length,
    visits,
  };
}
