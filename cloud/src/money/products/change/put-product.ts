import type { ProductRow } from '../../../records/products/product-table.ts';
import { siteProduct } from '../product.ts';

/** A product as a change of the feed. */
export function putOf(product: ProductRow) {
  return { kind: 'product', op: 'put', id: product.id, item: siteProduct(product) } as const;
}
