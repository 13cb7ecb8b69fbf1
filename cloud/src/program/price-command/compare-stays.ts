import type { VehicleCategory } from '@hlid/protocol/plate/vehicle-category';
import { staysBefore } from '@hlid/protocol/rules/stay-price';
import { priceAtExit } from '@hlid/protocol/tariff/price-visit';
import type { Product } from '@hlid/protocol/tariff/product';
import type { PastStay } from './price-stays.ts';

interface Comparison {
  /** The sum that all of them would cost. */
  amount: number;
  currency: string;
  /** The sum that those with a price cost. */
  was: number;
  /** The sum that the stays with a price would cost, less the one that they did. */
  difference: number;
  dearer: number;
  cheaper: number;
  same: number;
  /** Stays without a price, or with one in another currency: priced, and not compared. */
  notCompared: number;
  visits: { id: string; from: string; to: string; was: number | null; amount: number }[];
}

/**
 * Prices past stays with other products by the rules of the exit, beside what they cost; quotas and payments are not
 * taken off either. Free time that a plate has once is found by the other stays.
 */
export function compareStays(
  stays: readonly PastStay[],
  pricing: (category: VehicleCategory) => Product,
  { timeZone, graceMinutes }: { timeZone: string; graceMinutes: number },
): Comparison {
  const { currency } = pricing('light');
  const ofPlate = new Map<string, PastStay[]>();
  for (const stay of stays) {
    if (stay.plate === null) continue;
    const same = ofPlate.get(stay.plate) ?? [];
    same.push(stay);
    ofPlate.set(stay.plate, same);
  }
  const visits = stays.map((stay) => {
    const { id, startedAt, endedAt, plate, category, wasMinor, currency: paidIn } = stay;
    const product = pricing(category ?? 'light');
    const others = plate === null ? [] : (ofPlate.get(plate) ?? []).filter((other) => other !== stay);
    const earlierStays = staysBefore(
      startedAt,
      others.map((other) => ({ ...other, paymentStatus: null })),
    );
    const question = { product, startedAt, until: endedAt, timeZone, earlierStays };
    const { amountMinor } = priceAtExit(question, graceMinutes);
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
