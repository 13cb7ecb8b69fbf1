import { type Period, type Price, priceVisit } from '@hlid/protocol/price-visit';
import type { Product } from '@hlid/protocol/product';
import type { VehicleItem } from '@hlid/protocol/site-change';
import type { PricedVehicle } from '@hlid/protocol/tariff/price-tariff';
import { DAY_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { Visit } from '@hlid/protocol/visit';
import { coveredPeriods } from '@hlid/protocol/whitelist';
import type { SiteLists } from '../site-lists/site-lists.ts';
import type { PricingBook } from './pricing-book.ts';
import type { VisitStore } from './visit-store.ts';

/** What visits owe. */
export interface StayPrices {
  /**
   * What a visit owes if it ends at that moment, payments and its units of a quota taken off; null where the site has
   * no price.
   */
  price(visit: Visit, until: UtcTime): Price | null;
  /** The product by which it is priced then; null: there is none. */
  product(visit: Visit, until: UtcTime): Product | null;
}

export function createStayPrices(parts: {
  lists: SiteLists;
  pricings: Pick<PricingBook, 'at'>;
  visits: Pick<VisitStore, 'earlierOf'>;
}): StayPrices {
  const { lists, pricings, visits } = parts;

  /** By the product in force when it came in, unless the one in force now is cheaper. */
  function priced(visit: Visit, until: UtcTime): { product: Product; price: Price } | null {
    // The cloud tells of heavy vehicles; unknown counts as light.
    const known = visit.plate === null ? undefined : lists.vehicle(visit.plate)?.category;
    const category = known ?? 'light';
    const now = lists.pricing(category);
    if (!now) return null;
    const atEntry = pricings.at(category, visit.startedAt) ?? now;
    const first = { product: atEntry, price: priceBy(atEntry, visit, until) };
    if (atEntry.id === now.id && atEntry.version === now.version) return first;
    const second = { product: now, price: priceBy(now, visit, until) };
    return second.price.amountMinor < first.price.amountMinor ? second : first;
  }

  function priceBy(product: Product, visit: Visit, until: UtcTime): Price {
    const { timeZone } = lists.site();
    const stay = { visitId: visit.id, from: visit.startedAt, to: until };
    const { tariff } = product.config;
    const known = visit.plate === null ? undefined : lists.vehicle(visit.plate);
    return priceVisit({
      product,
      startedAt: visit.startedAt,
      until,
      timeZone,
      covered: coveredTime(visit.plate, stay, timeZone, lists),
      unitsMet: visit.unitsMet,
      quotaUnits: visit.quota?.units ?? 0,
      paidMinor: visit.paidMinor,
      ...(known && { vehicle: pricedVehicle(known) }),
      ...(tariff?.free && tariff.free.per !== 'visit' && { earlierStays: earlierStays(visit) }),
    });
  }

  function earlierStays(visit: Visit): Period[] {
    const since = utcTime(millis(visit.startedAt) - DAY_MS);
    return visits
      .earlierOf(visit, since)
      .flatMap(({ startedAt: from, endedAt: to }) => (to === null ? [] : [{ from, to }]));
  }

  return {
    price: (visit, until) => priced(visit, until)?.price ?? null,
    product: (visit, until) => priced(visit, until)?.product ?? null,
  };
}

/** As tariffs with classes ask for it. */
function pricedVehicle({ category, seats, massKg }: VehicleItem): PricedVehicle {
  return {
    category,
    ...(seats !== undefined && { seats }),
    ...(massKg !== undefined && { massKg }),
  };
}

function coveredTime(
  plate: string | null,
  stay: Period & { visitId: string },
  timeZone: string,
  lists: SiteLists,
): Period[] {
  if (plate === null) return [];
  return lists
    .permitsLike(plate)
    .filter((permit) => permit.plate === plate)
    .flatMap((permit) => coveredPeriods(permit, stay, timeZone));
}
