import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { and, eq, isNull } from '../../platform/db/sql.ts';
import {
  type ProductRow,
  productTable,
  productVersionTable as t,
} from '../../records/products/product-table.ts';
import { siteProduct } from './product.ts';

export async function insertProduct(q: Queries, row: ProductRow): Promise<void> {
  await q.insert(productTable).values(row);
}

export async function updateProductRow(q: Queries, row: ProductRow): Promise<void> {
  await q.update(productTable).set(row).where(eq(productTable.id, row.id));
}

/** Notes a version of a product, in the transaction that makes it; the one before is over. */
export async function noteVersion(q: Queries, row: ProductRow): Promise<void> {
  await endVersion(q, row.id, row.modifiedAt);
  const { id, version, siteId, type, modifiedAt: since } = row;
  const product = siteProduct(row);
  await q.insert(t).values({ id, version, since, product, siteId, type, until: null });
}

/** From then on the product is another, or not sold. */
export async function endVersion(q: Queries, id: string, until: UtcTime): Promise<void> {
  await q
    .update(t)
    .set({ until })
    .where(and(eq(t.id, id), isNull(t.until)));
}
