import type { VehicleCategory } from '@hlid/protocol/product';
import type { Visit } from '@hlid/protocol/visit';
import { and, asc, eq, isNull, or, sql } from 'drizzle-orm';
import type { Queries } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import { productTable } from '../products/product-table.ts';
import { quotaTable as t } from '../quotas/quota-table.ts';

/** A quota that may meet units of a visit. */
export interface LaneQuota {
  id: string;
  /** That the visit has taken of it. */
  unitsTaken: number;
  /** Beyond these. */
  unitsFree: number;
}

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
    .orderBy(asc(t.createdAt), asc(t.id))
    .prepare(),
);

const quotaById = prepared((q) =>
  q
    .select()
    .from(t)
    .where(eq(t.id, sql.placeholder('id')))
    .prepare(),
);

/** The quota for a car that comes in: the oldest that has a unit. */
export async function quotaAtEntry(q: Queries, holder: QuotaHolder): Promise<LaneQuota | null> {
  const { customerId, category, siteId } = holder;
  if (customerId === null) return null;
  const quotas = await quotasOf(q).all({ customerId, category: category ?? 'light', siteId });
  const found = quotas.find(({ total, used }) => used < total);
  return found ? { id: found.id, unitsTaken: 0, unitsFree: found.total - found.used } : null;
}

/** The quota for a visit that leaves: the one it took from, as long as that is still its customer's. */
export async function quotaOfVisit(
  q: Queries,
  holder: QuotaHolder,
  taken: Visit['quota'],
): Promise<LaneQuota | null> {
  const drawn = taken !== null && taken.units > 0 ? await quotaById(q).get({ id: taken.id }) : undefined;
  if (!drawn || taken === null || drawn.customerId !== holder.customerId)
    return await quotaAtEntry(q, holder);
  // Taken is taken; only more of it needs a quota that still is.
  const unitsFree = drawn.deletedAt === null ? drawn.total - drawn.used : 0;
  return { id: drawn.id, unitsTaken: taken.units, unitsFree };
}
