import type { Product, VehicleCategory } from '@hlid/protocol/product';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Queries } from '../db/db.ts';
import { siteProduct } from './product.ts';
import { findPricing } from './product-store.ts';
import { pricingThen } from './product-version-store.ts';

/**
 * The product that prices a site's visits of vehicles of a category, the same one that the site would take; null where
 * it has none. A vehicle of unknown category counts as light, and so does a heavy one where heavy ones have no price
 * of their own.
 */
export async function pricingProduct(
  q: Queries,
  siteId: string,
  category: VehicleCategory | null = null,
): Promise<Product | null> {
  const [own] = await findPricing(q, category ?? 'light', siteId);
  const product = own ?? (category === 'heavy' ? (await findPricing(q, 'light', siteId))[0] : undefined);
  return product === undefined ? null : siteProduct(product);
}

/** The same as it was at a moment. */
export async function pricingProductThen(
  q: Queries,
  siteId: string,
  category: VehicleCategory | null,
  at: UtcTime,
): Promise<Product | null> {
  const own = await pricingThen(q, siteId, category ?? 'light', at);
  return own ?? (category === 'heavy' ? await pricingThen(q, siteId, 'light', at) : null);
}
