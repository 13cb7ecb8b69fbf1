import { and, asc, desc, eq, isNull, ne, or, sql } from 'drizzle-orm';
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

const soldAt = prepared((q) =>
  q
    .select()
    .from(productTable)
    .where(
      and(
        ne(productTable.type, 'quota'),
        isNull(productTable.deletedAt),
        or(isNull(productTable.siteId), eq(productTable.siteId, sql.placeholder('siteId'))),
      ),
    )
    .orderBy(asc(productTable.id))
    .prepare(),
);

/** What is sold to visits at a site, in the order in which the site has it. */
export async function productsSoldAt(q: Queries, siteId: string): Promise<ProductRow[]> {
  return await soldAt(q).all({ siteId });
}

export async function insertProduct(q: Queries, row: ProductRow): Promise<void> {
  await q.insert(productTable).values(row);
}

export async function updateProductRow(q: Queries, row: ProductRow): Promise<void> {
  await q.update(productTable).set(row).where(eq(productTable.id, row.id));
}
