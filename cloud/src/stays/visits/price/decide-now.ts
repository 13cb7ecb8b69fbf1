import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { decideLeaving } from '@hlid/protocol/rules/lane-facts';
import { type LeavingTimes, leavingTimes, NO_LEAVING_TIMES } from '@hlid/protocol/rules/leave-by';
import type { PayableVisit } from '@hlid/protocol/rules/payment-order';
import { priceStay } from '@hlid/protocol/rules/stay-price';
import { visitStanding } from '@hlid/protocol/rules/visit-due';
import type { Decided } from '@hlid/protocol/rules/visit-transitions';
import type { SoldProducts } from '../../../money/products/pricing-product.ts';
import type { Queries } from '../../../platform/db/db.ts';
import type { ChosenSite } from '../../../records/sites/choose-site.ts';
import { siteVisit } from '../../../records/visits/site-visit.ts';
import type { VisitRow } from '../../../records/visits/visit-table.ts';
import { gatherAtExit } from './exit-facts.ts';
import { stayFacts } from './stay-facts.ts';

/** The decision of the exit, were the car there now and its plate read well. */
export async function decideNow(
  q: Queries,
  visit: VisitRow,
  site: ChosenSite,
  at: UtcTime,
  sold?: SoldProducts,
): Promise<Decided> {
  const seen = { plate: visit.plate, score: 1 };
  return decideLeaving(await gatherAtExit(q, site, seen, { visit, foundBy: 'equal' }, at, sold), at);
}

/** A visit with the amount that its exit would ask for now, for a payment. */
export async function payableVisit(
  q: Queries,
  row: VisitRow,
  site: ChosenSite,
  at: UtcTime,
): Promise<PayableVisit & { times: () => LeavingTimes }> {
  const visit = siteVisit(row);
  const seen = { plate: row.plate, score: 1 };
  const gathered = await gatherAtExit(q, site, seen, { visit: row, foundBy: 'equal' }, at);
  const { listed: permits } = gathered;
  const facts = { ...(await stayFacts(q, row, site, at)), permits, timeZone: site.timeZone };
  return {
    visit,
    times: () => (row.endedAt === null && row.plate !== null ? leavingTimes(gathered, at) : NO_LEAVING_TIMES),
    ...visitStanding(visit, () => decideLeaving(gathered, at)),
    product: priceStay(visit, at, facts)?.product ?? null,
    priceOf: (other) => priceStay(other, at, facts)?.price ?? null,
  };
}
