import { auditOf } from '../../../people/audit/audit.ts';
import type { ProductRow } from '../../../records/products/product-table.ts';
import { productFrom } from '../product.ts';

/** Records changes of products in the audit log. */
export const auditProduct = auditOf('product', (row: ProductRow) => {
  const { warnings: _, ...product } = productFrom(row);
  return product;
});
