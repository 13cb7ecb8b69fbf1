import { pricingProduct as choosePricing, type Product, type VehicleCategory } from '@hlid/protocol/product';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Queries } from '../db/db.ts';
import type { ChosenSite } from '../sites/choose-site.ts';
import { productsSoldAt, productsSoldThen } from './find-products.ts';
import { siteProduct } from './product.ts';

type PricedSite = Pick<ChosenSite, 'id' | 'currency'>;

/**
 * The product that prices a site's visits of vehicles of a category, the same one that the site would choose; null
 * where it has none. A vehicle of unknown category counts as light.
 */
export async function pricingProduct(
  q: Queries,
  { id, currency }: PricedSite,
  category: VehicleCategory | null = null,
): Promise<Product | null> {
  const product = choosePricing(await productsSoldAt(q, id), category ?? 'light', currency);
  return product === undefined ? null : siteProduct(product);
}

/** The same as it was at a moment. */
export async function pricingProductThen(
  q: Queries,
  { id, currency }: PricedSite,
  category: VehicleCategory | null,
  at: UtcTime,
): Promise<Product | null> {
  return choosePricing(await productsSoldThen(q, id, at), category ?? 'light', currency) ?? null;
}
