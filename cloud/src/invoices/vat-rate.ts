import { USUAL_VAT_RATE } from '@hlid/protocol/product';
import { eq, sql } from 'drizzle-orm';
import type { Queries } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import { productTable as t } from '../products/product-table.ts';

const rateOf = prepared((q) =>
  q
    .select({ vatRate: t.vatRate })
    .from(t)
    .where(eq(t.id, sql.placeholder('id')))
    .prepare(),
);

/** Percent of VAT in what a product costs, also where it is no longer sold. */
export async function vatRateOf(q: Queries, productId: string | null): Promise<number> {
  if (productId === null) return USUAL_VAT_RATE;
  return (await rateOf(q).get({ id: productId }))?.vatRate ?? USUAL_VAT_RATE;
}
