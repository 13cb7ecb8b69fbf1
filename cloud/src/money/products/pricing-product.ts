import type { UtcTime } from '@hlid/protocol/base/utc-time';
import {
  pricingProduct as choosePricing,
  type Product,
  type VehicleCategory,
} from '@hlid/protocol/tariff/product';
import type { Queries } from '../../platform/db/db.ts';
import type { ChosenSite } from '../../records/sites/choose-site.ts';
import { productsSoldAt, productsSoldThen, versionsSoldAt } from './find-products.ts';
import { siteProduct } from './product.ts';

type PricedSite = Pick<ChosenSite, 'id' | 'currency'>;

/** What sites sell to visits: now, and at a moment. */
export interface SoldProducts {
  now(siteId: string): Promise<Product[]>;
  at(siteId: string, moment: UtcTime): Promise<Product[]>;
}

/** Read at each question, as a single visit needs it. */
export function soldProducts(q: Queries): SoldProducts {
  return {
    now: async (siteId) => (await productsSoldAt(q, siteId)).map(siteProduct),
    at: (siteId, moment) => productsSoldThen(q, siteId, moment),
  };
}

/** Read once for each site, for many visits on one state of the database. */
export class SoldProductsOfMany implements SoldProducts {
  readonly #q: Queries;
  readonly #now = new Map<string, Promise<Product[]>>();
  readonly #versions = new Map<string, ReturnType<typeof versionsSoldAt>>();

  constructor(q: Queries) {
    this.#q = q;
  }

  now(siteId: string): Promise<Product[]> {
    const known = this.#now.get(siteId) ?? soldProducts(this.#q).now(siteId);
    this.#now.set(siteId, known);
    return known;
  }

  async at(siteId: string, moment: UtcTime): Promise<Product[]> {
    const versions = this.#versions.get(siteId) ?? versionsSoldAt(this.#q, siteId);
    this.#versions.set(siteId, versions);
    return (await versions).flatMap(({ product, since, until }) =>
      since <= moment && (until === null || until > moment) ? [product] : [],
    );
  }
}

/**
 * The product that prices a site's visits of vehicles of a category, the same one that the site would choose; null
 * where it has none. A vehicle of unknown category counts as light.
 */
export async function pricingProduct(
  q: Queries,
  { id, currency }: PricedSite,
  category: VehicleCategory | null = null,
  sold: SoldProducts = soldProducts(q),
): Promise<Product | null> {
  return choosePricing(await sold.now(id), category ?? 'light', currency) ?? null;
}

/** The same as it was at a moment. */
export async function pricingProductThen(
  q: Queries,
  { id, currency }: PricedSite,
  category: VehicleCategory | null,
  at: UtcTime,
  sold: SoldProducts = soldProducts(q),
): Promise<Product | null> {
  return choosePricing(await sold.at(id, at), category ?? 'light', currency) ?? null;
}
