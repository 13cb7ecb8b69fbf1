import { eq } from 'drizzle-orm';
import type { Queries } from '../db/db.ts';
import { productTable } from './product-table.ts';

export type ProductRow = typeof productTable.$inferSelect;

export async function insertProduct(q: Queries, row: ProductRow): Promise<void> {
  await q.insert(productTable).values(row);
}

export async function updateProductRow(q: Queries, row: ProductRow): Promise<void> {
  await q.update(productTable).set(row).where(eq(productTable.id, row.id));
}
