import { type Price, priceVisit } from '@hlid/protocol/price-visit';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Queries } from '../db/db.ts';
import { pricingProduct } from '../products/pricing-product.ts';
import type { ChosenSite } from '../sites/choose-site.ts';
import { coveredTime } from '../whitelist/covered-time.ts';
import type { VisitRow } from './visit-view.ts';

export type PricedVisit = Pick<
  VisitRow,
  'id' | 'siteId' | 'plate' | 'startedAt' | 'endedAt' | 'unitsMet' | 'quota' | 'vehicleCategory'
>;

/** What a visit owes by now, or by its end, as its site would price it; null where it has no price. */
export async function priceNow(
  q: Queries,
  visit: PricedVisit,
  site: ChosenSite,
  now: UtcTime,
): Promise<Price | null> {
  const product = await pricingProduct(q, visit.siteId, visit.vehicleCategory);
  if (product === null) return null;
  const { startedAt, plate, siteId } = visit;
  const unitsMet = visit.unitsMet + (visit.quota?.units ?? 0);
  const until = visit.endedAt ?? now;
  const stay = { visitId: visit.id, plate, siteId, from: startedAt, to: until };
  const covered = await coveredTime(q, stay, site.timeZone);
  return priceVisit({ product, startedAt, until, timeZone: site.timeZone, covered, unitsMet });
}
