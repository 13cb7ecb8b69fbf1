import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { vatOf, vatTerms } from '@hlid/protocol/base/vat';
import { siteVatAt, vatOfFee } from '@hlid/protocol/base/vat-schema';
import type { Visit } from '@hlid/protocol/records/visit';
import {
  earlierStaysSince,
  needsEarlierStays,
  type PricedStay,
  priceStay,
  type StayFacts,
} from '@hlid/protocol/rules/stay-price';
import type { VehicleItem } from '@hlid/protocol/site-link/site-change';
import type { PricedVehicle } from '@hlid/protocol/tariff/price-tariff';
import type { Price } from '@hlid/protocol/tariff/price-visit';
import type { Product, VehicleCategory } from '@hlid/protocol/tariff/product';
import { productAt } from '@hlid/protocol/tariff/product-at';
import type { SiteLists } from '../site-lists/site-lists.ts';
import type { PriceHistory } from './price-history.ts';
import { NO_FEE, type ServiceFee } from './service-fee.ts';
import type { VisitStore } from './visit-store.ts';

/** The prices of visits. */
export class StayPrices {
  readonly #lists: SiteLists;
  readonly #pricings: Pick<PriceHistory, 'at'>;
  readonly #visits: Pick<VisitStore, 'earlierOf'>;
  readonly #now: () => UtcTime;

  constructor(parts: {
    lists: SiteLists;
    pricings: Pick<PriceHistory, 'at'>;
    visits: Pick<VisitStore, 'earlierOf'>;
    now: () => UtcTime;
  }) {
    this.#lists = parts.lists;
    this.#pricings = parts.pricings;
    this.#visits = parts.visits;
    this.#now = parts.now;
  }

  /** The facts that decide on the price, besides the visit and its permits. */
  factsOf(visit: Visit): Omit<StayFacts, 'permits' | 'timeZone'> {
    const { plate, startedAt } = visit;
    const vehicle = plate === null ? undefined : this.#lists.vehicle(plate);
    // The cloud sends heavy vehicles; unknown counts as light.
    const category = vehicle?.category ?? 'light';
    const now = this.#present(category);
    const atEntry = this.#pricings.at(category, startedAt) ?? now;
    const products = atEntry ? { atEntry, now: now ?? null } : null;
    return {
      products,
      ...(vehicle && { vehicle: pricedVehicle(vehicle) }),
      ...(needsEarlierStays(products) && {
        earlierStays: this.#visits.earlierOf(visit, earlierStaysSince(startedAt)),
      }),
    };
  }

  /** The amount due if a visit ends at that moment, after payments and quota units; null if the site has no price. */
  price(visit: Visit, until: UtcTime): Price | null {
    return this.#priced(visit, until)?.price ?? null;
  }

  /** The service fee under a product for a payment at the kiosk. */
  kioskFee(product: Product, at: UtcTime): ServiceFee {
    const { settings, timeZone } = this.#lists.site();
    const feesMinor = product.config.tariff?.serviceFees.kiosk ?? 0;
    if (settings.chargesServiceFees !== true || feesMinor === 0) return NO_FEE;
    const vat = vatOfFee(siteVatAt(settings.vat, at, timeZone).fees, vatOf(product));
    return { feesMinor, feesVat: vatTerms(vat) };
  }

  /** The product that prices the visit then; null: there is none. */
  product(visit: Visit, until: UtcTime): Product | null {
    return this.#priced(visit, until)?.product ?? null;
  }

  /** The product that prices a category now. */
  #present(category: VehicleCategory): Product | undefined {
    const product = this.#lists.pricing(category);
    const { timeZone, settings } = this.#lists.site();
    return product && productAt(product, this.#now(), timeZone, settings.vat);
  }

  #priced(visit: Visit, until: UtcTime): PricedStay | null {
    const permits = visit.plate === null ? [] : this.#lists.permitsLike(visit.plate);
    const { timeZone } = this.#lists.site();
    return priceStay(visit, until, { ...this.factsOf(visit), permits, timeZone });
  }
}

/** The facts that tariffs with vehicle classes need. */
function pricedVehicle({ category, seats, massKg }: VehicleItem): PricedVehicle {
  return {
    category,
    ...(seats !== undefined && { seats }),
    ...(massKg !== undefined && { massKg }),
  };
}
