import type { VehicleCategory } from '@hlid/protocol/product';
import type { QuotaStanding } from '@hlid/protocol/quota-standing';
import { and, asc, eq, isNull, or, sql } from 'drizzle-orm';
import type { Queries } from '../../db/db.ts';
import { prepared } from '../../db/prepared.ts';
import { productTable } from '../../products/product-table.ts';
import { quotaTable as t } from '../../quotas/quota-table.ts';

/** Whose vehicle it is, and what kind; where it stands. */
export interface QuotaHolder {
  customerId: string | null;
  category: VehicleCategory | null;
  siteId: string;
}

const quotasOf = prepared((q) =>
  q
    .select({ id: t.id, total: t.total, used: t.used })
    .from(t)
    .innerJoin(productTable, eq(productTable.id, t.productId))
    .where(
      and(
        eq(t.customerId, sql.placeholder('customerId')),
        isNull(t.deletedAt),
        eq(productTable.vehicleCategory, sql.placeholder('category')),
        or(isNull(productTable.siteId), eq(productTable.siteId, sql.placeholder('siteId'))),
      ),
    )
    // In the order in which a site uses them up.
    .orderBy(asc(t.id))
    .prepare(),
);

/** Those that a vehicle's customer has for it, and what they have. */
export async function quotasOfHolder(q: Queries, holder: QuotaHolder): Promise<QuotaStanding[]> {
  const { customerId, category, siteId } = holder;
  if (customerId === null) return [];
  const quotas = await quotasOf(q).all({ customerId, category: category ?? 'light', siteId });
  return quotas.map(({ id, total, used }) => ({ id, free: Math.max(0, total - used) }));
}
