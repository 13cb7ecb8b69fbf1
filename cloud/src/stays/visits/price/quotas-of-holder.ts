import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { QuotaStanding } from '@hlid/protocol/rules/quota-standing';
import type { VehicleCategory } from '@hlid/protocol/tariff/product';
import type { Queries } from '../../../platform/db/db.ts';
import { prepared } from '../../../platform/db/prepared.ts';
import { and, asc, eq, eqPlaceholder, isNull, or } from '../../../platform/db/sql.ts';
import { productTable } from '../../../records/products/product-table.ts';
import { quotaTable as t } from '../../../records/quotas/quota-table.ts';
import type { ChosenSite } from '../../../records/sites/choose-site.ts';
import { customerOfPlate } from '../../../records/vehicles/customer-of-plate.ts';
import { categoryOfPlate } from '../../../records/vehicles/priced-vehicle.ts';

/** The customer, the kind and the place of a vehicle. */
interface QuotaHolder {
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
        eqPlaceholder(t.customerId, 'customerId'),
        isNull(t.deletedAt),
        eqPlaceholder(productTable.vehicleCategory, 'category'),
        or(isNull(productTable.siteId), eqPlaceholder(productTable.siteId, 'siteId')),
      ),
    )
    // The order is that in which a site uses them up.
    .orderBy(asc(t.id))
    .prepare(),
);

/** The quotas that a vehicle's customer has for it, and what they have. */
export async function quotasOfHolder(q: Queries, holder: QuotaHolder): Promise<QuotaStanding[]> {
  const { customerId, category, siteId } = holder;
  if (customerId === null) return [];
  const quotas = await quotasOf(q).all({ customerId, category: category ?? 'light', siteId });
  return quotas.map(({ id, total, used }) => ({ id, free: Math.max(0, total - used) }));
}

/** The holder of a plate's quotas at a site. */
export async function holderOf(
  q: Queries,
  site: ChosenSite,
  plate: string,
  at: UtcTime,
): Promise<QuotaHolder> {
  return {
    customerId: await customerOfPlate(q, plate, at),
    category: await categoryOfPlate(q, plate),
    siteId: site.id,
  };
}
