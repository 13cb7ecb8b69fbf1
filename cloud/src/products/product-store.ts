import type { Product } from '@hlid/protocol/product';
import { and, asc, desc, eq, isNull, or, sql } from 'drizzle-orm';
import type { Queries } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import { productTable } from './product-table.ts';

export type ProductRow = typeof productTable.$inferSelect;

const allProducts = prepared((q) =>
  q
    .select()
    .from(productTable)
    .where(isNull(productTable.deletedAt))
    .orderBy(desc(productTable.createdAt), desc(productTable.id))
    .prepare(),
);

const productById = prepared((q) =>
  q
    .select()
    .from(productTable)
    .where(and(eq(productTable.id, sql.placeholder('id')), isNull(productTable.deletedAt)))
    .prepare(),
);

/** Every product that is sold, newest first. */
export async function listProducts(q: Queries): Promise<ProductRow[]> {
  return await allProducts(q).all();
}

export async function findProduct(q: Queries, id: string): Promise<ProductRow | null> {
  return (await productById(q).get({ id })) ?? null;
}

/** Products that price the visits of a site (null: of any) in a category, in the order in which a site asks them. */
export async function findPricing(
  q: Queries,
  vehicleCategory: Product['vehicleCategory'],
  siteId: string | null,
): Promise<ProductRow[]> {
  return await q
    .select()
    .from(productTable)
    .where(
      and(
        eq(productTable.type, 'default'),
        eq(productTable.vehicleCategory, vehicleCategory),
        isNull(productTable.deletedAt),
        siteId === null ? undefined : or(isNull(productTable.siteId), eq(productTable.siteId, siteId)),
      ),
    )
    .orderBy(asc(productTable.id));
}

export async function insertProduct(q: Queries, row: ProductRow): Promise<void> {
  await q.insert(productTable).values(row);
}

export async function updateProductRow(q: Queries, row: ProductRow): Promise<void> {
  await q.update(productTable).set(row).where(eq(productTable.id, row.id));
}
