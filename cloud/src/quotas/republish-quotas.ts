import type { Tx } from '../db/db.ts';
import type { ProductRow } from '../products/product-store.ts';
import { publishQuota } from './publish-quota.ts';
import { quotasOfProduct } from './quota-store.ts';

type Terms = Pick<ProductRow, 'id' | 'type' | 'siteId' | 'vehicleCategory'>;

/**
 * A product was changed: its quotas are good where and for what it says now. @returns why it may not be changed so,
 * or null
 */
export async function retellQuotas(tx: Tx, before: Terms, after: Terms): Promise<string | null> {
  if (before.type !== 'quota') return null;
  const { siteId, vehicleCategory } = after;
  const same = siteId === before.siteId && vehicleCategory === before.vehicleCategory;
  if (same && after.type === before.type) return null;
  const quotas = await quotasOfProduct(tx.q, before.id);
  if (after.type !== before.type) return quotas.length > 0 ? 'type: there are quotas of this product' : null;
  for (const quota of quotas) await publishQuota(tx, { quota, siteId, vehicleCategory }, before);
  return null;
}
