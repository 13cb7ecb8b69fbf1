import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Queries } from '../db/db.ts';
import { siteOfVisit } from '../sites/site-of-visit.ts';
import { payableVisit } from '../visits/price/decide-now.ts';
import type { VisitRow } from '../visits/record/visit-table.ts';

/**
 * Until when a car that is inside may leave without another payment, by the decision of its exit, as kiosk and payment page
 * show it; later, until when it could. Null: it has left, or nothing of its stay is paid.
 */
export async function paidUntilOf(q: Queries, visit: VisitRow, now: UtcTime): Promise<UtcTime | null> {
  if (visit.endedAt !== null) return null;
  const { leaveBy } = (await payableVisit(q, visit, await siteOfVisit(q, visit), now)).times();
  return leaveBy ?? visit.paidUntil;
}
