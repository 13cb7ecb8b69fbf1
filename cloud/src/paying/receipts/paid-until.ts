import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { payableVisit } from '../../stays/visits/price/decide-now.ts';

/**
 * The time until which a car inside may leave without another payment, by the decision of its exit, as kiosk
 * and payment page show it. After that time it stays the past time. Null: the car has left, or nothing of its
 * stay is paid.
 */
export async function paidUntilOf(q: Queries, visit: VisitRow, now: UtcTime): Promise<UtcTime | null> {
  if (visit.endedAt !== null) return null;
  const { leaveBy } = (await payableVisit(q, visit, await siteOfVisit(q, visit), now)).times();
  return leaveBy ?? visit.paidUntil;
}
