import type { Price } from '@hlid/protocol/price-visit';
import type { Product } from '@hlid/protocol/product';
import type { VehicleItem } from '@hlid/protocol/site-change';
import {
  earlierStaysSince,
  needsEarlierStays,
  type PricedStay,
  priceStay,
  type StayFacts,
} from '@hlid/protocol/stay-price';
import type { PricedVehicle } from '@hlid/protocol/tariff/price-tariff';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Visit } from '@hlid/protocol/visit';
import type { SiteLists } from '../site-lists/site-lists.ts';
import type { PriceHistory } from './price-history.ts';
import type { VisitStore } from './visit-store.ts';

/** What visits owe. */
export interface StayPrices {
  /** What else than the visit itself and its permits decides on its price. */
  factsOf(visit: Visit): Omit<StayFacts, 'permits' | 'timeZone'>;
  /**
   * What a visit owes if it ends at that moment, payments and its units of a quota taken off; null where the site has
   * no price.
   */
  price(visit: Visit, until: UtcTime): Price | null;
  /** What the site charges besides, under a product, where it is paid at its kiosk. */
  kioskFee(product: Product): number;
  /** The product by which it is priced then; null: there is none. */
  product(visit: Visit, until: UtcTime): Product | null;
}

export function createStayPrices(parts: {
  lists: SiteLists;
  pricings: Pick<PriceHistory, 'at'>;
  visits: Pick<VisitStore, 'earlierOf'>;
}): StayPrices {
  const { lists, pricings, visits } = parts;

  function factsOf(visit: Visit): ReturnType<StayPrices['factsOf']> {
    const { plate, startedAt } = visit;
    const vehicle = plate === null ? undefined : lists.vehicle(plate);
    // The cloud sends heavy vehicles; unknown counts as light.
    const category = vehicle?.category ?? 'light';
    const now = lists.pricing(category);
    const atEntry = pricings.at(category, startedAt) ?? now;
    const products = atEntry ? { atEntry, now: now ?? null } : null;
    return {
      products,
      ...(vehicle && { vehicle: pricedVehicle(vehicle) }),
      ...(needsEarlierStays(products) && {
        earlierStays: visits.earlierOf(visit, earlierStaysSince(startedAt)),
      }),
    };
  }

  function priced(visit: Visit, until: UtcTime): PricedStay | null {
    const permits = visit.plate === null ? [] : lists.permitsLike(visit.plate);
    return priceStay(visit, until, { ...factsOf(visit), permits, timeZone: lists.site().timeZone });
  }

  return {
    factsOf,
    kioskFee: ({ config }) =>
      lists.site().settings.chargesServiceFees === true ? (config.tariff?.serviceFees.kiosk ?? 0) : 0,
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
