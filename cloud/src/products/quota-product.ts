import type { Queries } from '../db/db.ts';
import { findProduct } from './find-products.ts';
import type { ProductRow } from './product-store.ts';

/** What a quota takes over from its product. */
export type QuotaProduct = Pick<ProductRow, 'siteId' | 'vehicleCategory' | 'name' | 'productCode' | 'config'>;

/** The product that a quota is to be of, or why it cannot be. */
export async function quotaProduct(q: Queries, id: string): Promise<QuotaProduct | string> {
  const product = await findProduct(q, id);
  if (product === null) return 'product: there is no such product';
  return product.type === 'quota' ? product : 'product: its type is not quota';
}
