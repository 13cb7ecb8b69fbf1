import { type Period, type Price, priceVisit } from '@hlid/protocol/price-visit';
import type { Product } from '@hlid/protocol/product';
import { DAY_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { Queries } from '../db/db.ts';
import { pricingProduct, pricingProductThen } from '../products/pricing-product.ts';
import type { ChosenSite } from '../sites/choose-site.ts';
import { pricedVehicle } from '../vehicles/priced-vehicle.ts';
import { coveredTime } from '../whitelist/covered-time.ts';
import { earlierStays } from './earlier-stays.ts';
import type { VisitRow } from './visit-view.ts';

export type PricedVisit = Pick<
  VisitRow,
  'id' | 'siteId' | 'plate' | 'startedAt' | 'endedAt' | 'unitsMet' | 'paidMinor' | 'quota' | 'vehicleCategory'
>;

/**
 * What a visit owes by now, or by its end, as its site would price it: by the product in force when it came in, unless
 * the one in force now is cheaper; null where it has no price.
 */
export async function priceNow(
  q: Queries,
  visit: PricedVisit,
  site: ChosenSite,
  now: UtcTime,
): Promise<Price | null> {
  const { siteId, startedAt, vehicleCategory } = visit;
  const product = await pricingProduct(q, siteId, vehicleCategory);
  if (product === null) return null;
  const atEntry = (await pricingProductThen(q, siteId, vehicleCategory, startedAt)) ?? product;
  const first = await priceBy(q, atEntry, visit, site, now);
  if (atEntry.id === product.id && atEntry.version === product.version) return first;
  const second = await priceBy(q, product, visit, site, now);
  return second.amountMinor < first.amountMinor ? second : first;
}

async function priceBy(
  q: Queries,
  product: Product,
  visit: PricedVisit,
  { timeZone }: ChosenSite,
  now: UtcTime,
): Promise<Price> {
  const { startedAt, plate, siteId, unitsMet, paidMinor } = visit;
  const until = visit.endedAt ?? now;
  const covered = await coveredTime(
    q,
    { visitId: visit.id, plate, siteId, from: startedAt, to: until },
    timeZone,
  );
  return priceVisit({
    ...{ product, startedAt, until, timeZone, covered, unitsMet, paidMinor },
    quotaUnits: visit.quota?.units ?? 0,
    ...(await askedByTariff(q, product, visit)),
  });
}

/** What only some tariffs ask for. */
async function askedByTariff(
  q: Queries,
  { config: { tariff } }: Product,
  visit: PricedVisit,
): Promise<{ vehicle?: Awaited<ReturnType<typeof pricedVehicle>>; earlierStays?: Period[] }> {
  const { plate, startedAt } = visit;
  if (tariff === undefined || plate === null) return {};
  const since = utcTime(millis(startedAt) - DAY_MS);
  return {
    ...(tariff.classes.length > 0 && { vehicle: await pricedVehicle(q, plate) }),
    ...(tariff.free && tariff.free.per !== 'visit' && { earlierStays: await earlierStays(q, visit, since) }),
  };
}
