import type { Product, VehicleCategory } from '@hlid/protocol/product';
import type { Queries } from '../db/db.ts';
import { siteProduct } from './product.ts';
import { findPricing } from './product-store.ts';

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
