import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { PaymentStatus, VisitStatus } from '@hlid/protocol/records/visit';
import type { VehicleCategory } from '@hlid/protocol/tariff/product';
import type { Queries } from '../../platform/db/db.ts';
import { asc, count, desc } from '../../platform/db/sql.ts';
import { visitTable as t } from '../../records/visits/visit-table.ts';
import { dueVisits, leastDue } from '../../stays/visits/list/due-visits.ts';
import { conditionsOf, type VisitFilters } from '../../stays/visits/list/visit-filters.ts';

/** How many visits are alike. */
export interface VisitKindCount {
  status: VisitStatus;
  paymentStatus: PaymentStatus | null;
  category: VehicleCategory | null;
  visits: number;
}

/** When the first and the last of all visits started; null: there are none. */
export async function spanOfVisits(q: Queries): Promise<{ first: string; last: string } | null> {
  const [first] = await q.select({ at: t.startedAt }).from(t).orderBy(asc(t.startedAt)).limit(1);
  const [last] = await q.select({ at: t.startedAt }).from(t).orderBy(desc(t.startedAt)).limit(1);
  return first && last ? { first: first.at, last: last.at } : null;
}

/** Counts the visits that a query finds; where it goes by the amount due, one by one, as they are priced now. */
export async function countKinds(q: Queries, filters: VisitFilters, now: UtcTime): Promise<VisitKindCount[]> {
  const least = leastDue(filters);
  if (least !== null) {
    const kinds: VisitKindCount[] = [];
    for await (const { visit } of dueVisits(q, { filters, plate: undefined }, { least, now })) {
      const { status, paymentStatus, vehicleCategory: category } = visit;
      kinds.push({ status, paymentStatus, category, visits: 1 });
    }
    return kinds;
  }
  return await q
    .select({
      status: t.status,
      paymentStatus: t.paymentStatus,
      category: t.vehicleCategory,
      visits: count(),
    })
    .from(t)
    .where(conditionsOf(filters))
    .groupBy(t.status, t.paymentStatus, t.vehicleCategory)
    .prepare()
    .all({ ...filters });
}
