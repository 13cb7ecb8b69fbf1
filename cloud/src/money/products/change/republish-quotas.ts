import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { Queries, Tx } from '../../../platform/db/db.ts';
import { and, eq, isNull } from '../../../platform/db/sql.ts';
import type { ProductRow } from '../../../records/products/product-table.ts';
import { publishQuota } from '../../../records/quotas/publish-quota.ts';
import type { QuotaRow } from '../../../records/quotas/quota-store.ts';
import { quotaTable as t } from '../../../records/quotas/quota-table.ts';

type Terms = Pick<ProductRow, 'id' | 'type' | 'siteId' | 'vehicleCategory'>;

/**
 * Sends the quotas of a product that was changed to the sites at which it is sold now.
 *
 * @returns why it may not be changed so, or null
 */
export async function republishQuotas(tx: Tx, before: Terms, after: Terms): Promise<Mistake | null> {
  if (before.type !== 'quota') return null;
  const { siteId, vehicleCategory } = after;
  const same = siteId === before.siteId && vehicleCategory === before.vehicleCategory;
  if (same && after.type === before.type) return null;
  const quotas = await quotasOfProduct(tx.q, before.id);
  if (after.type !== before.type) return quotas.length > 0 ? mistake('quotas-of-product', 'type') : null;
  for (const quota of quotas) await publishQuota(tx, { quota, siteId, vehicleCategory }, before);
  return null;
}

/** The quotas of a product that hold. */
export async function quotasOfProduct(q: Queries, productId: string): Promise<QuotaRow[]> {
  return await q
    .select()
    .from(t)
    .where(and(eq(t.productId, productId), isNull(t.deletedAt)));
}
