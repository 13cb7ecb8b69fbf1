import type { UtcTime } from '@hlid/protocol/base/utc-time';
import {
  pricingProduct as choosePricing,
  type Product,
  type VehicleCategory,
} from '@hlid/protocol/tariff/product';
import { productAt } from '@hlid/protocol/tariff/product-at';
import type { Queries } from '../../platform/db/db.ts';
import type { ChosenSite } from '../../records/sites/choose-site.ts';
import { productsSoldAt, productsSoldThen, versionsSoldAt } from './find-products.ts';
import { siteProduct } from './product.ts';

type SellingSite = Pick<ChosenSite, 'id' | 'timeZone'> & { settings: Pick<ChosenSite['settings'], 'vat'> };
type PricedSite = SellingSite & Pick<ChosenSite, 'currency'>;

/** The products that price visits at sites, with the planned versions that have begun there (`productAt`). */
export interface SoldProducts {
  /** The products of a site as they are at the present moment. */
  now(site: SellingSite, now: UtcTime): Promise<Product[]>;
  /** The products of a site as they were at a moment. */
  at(site: SellingSite, moment: UtcTime): Promise<Product[]>;
}

/** Read at each question, as a single visit needs it. */
export function soldProducts(q: Queries): SoldProducts {
  return {
    now: async ({ id, timeZone, settings }, now) =>
      (await productsSoldAt(q, id)).map((row) => productAt(siteProduct(row), now, timeZone, settings.vat)),
    at: async ({ id, timeZone, settings }, moment) =>
      (await productsSoldThen(q, id, moment)).map((product) =>
        productAt(product, moment, timeZone, settings.vat),
      ),
  };
}

/** Read once for each site, for many visits on one state of the database. */
export class SoldProductsOfMany implements SoldProducts {
  readonly #q: Queries;
  readonly #now = new Map<string, ReturnType<typeof productsSoldAt>>();
  readonly #versions = new Map<string, ReturnType<typeof versionsSoldAt>>();

  constructor(q: Queries) {
    this.#q = q;
  }

  async now({ id, timeZone, settings }: SellingSite, now: UtcTime): Promise<Product[]> {
    const rows = this.#now.get(id) ?? productsSoldAt(this.#q, id);
    this.#now.set(id, rows);
    return (await rows).map((row) => productAt(siteProduct(row), now, timeZone, settings.vat));
  }

  async at({ id, timeZone, settings }: SellingSite, moment: UtcTime): Promise<Product[]> {
    const versions = this.#versions.get(id) ?? versionsSoldAt(this.#q, id);
    this.#versions.set(id, versions);
    return (await versions).flatMap(({ product, since, until }) =>
      since !== null && since <= moment && (until === null || until > moment)
        ? [productAt(product, moment, timeZone, settings.vat)]
        : [],
    );
  }
}

/**
 * The product that prices a site's visits of vehicles of a category, the same one that the site would choose; null
 * where it has none. A vehicle of unknown category counts as light.
 */
export async function pricingProduct(
  q: Queries,
  site: PricedSite,
  category: VehicleCategory | null,
  now: UtcTime,
  sold: SoldProducts = soldProducts(q),
): Promise<Product | null> {
  return choosePricing(await sold.now(site, now), category ?? 'light', site.currency) ?? null;
}

/** The same as it was at a moment. */
export async function pricingProductThen(
  q: Queries,
  site: PricedSite,
  category: VehicleCategory | null,
  at: UtcTime,
  sold: SoldProducts = soldProducts(q),
): Promise<Product | null> {
  return choosePricing(await sold.at(site, at), category ?? 'light', site.currency) ?? null;
}
