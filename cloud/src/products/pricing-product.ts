import type { Product } from '@hlid/protocol/product';
import type { Queries } from '../db/db.ts';
import { siteProduct } from './product.ts';
import { findPricing } from './product-store.ts';

/**
 * The product that prices a site's visits, the same one that the site would take; null where it has none. As long as
 * there is no register of vehicles every vehicle is of unknown category, which counts as light.
 */
export async function pricingProduct(q: Queries, siteId: string): Promise<Product | null> {
  const [product] = await findPricing(q, 'light', siteId);
  return product === undefined ? null : siteProduct(product);
}
