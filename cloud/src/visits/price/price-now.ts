import type { Price } from '@hlid/protocol/price-visit';
import { type PricedStay, type PricedVisit, priceStay } from '@hlid/protocol/stay-price';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Queries } from '../../db/db.ts';
import type { ChosenSite } from '../../sites/choose-site.ts';
import { permitsLike } from '../../whitelist/permits-like.ts';
import type { VisitRow } from '../list/visit-view.ts';
import { stayFacts } from './stay-facts.ts';

type PricedRow = PricedVisit & Pick<VisitRow, 'siteId' | 'endedAt' | 'vehicleCategory'>;

/** What a visit owes by now, or by its end, as its site would price it; null where it has no price. */
export async function priceNow(
  q: Queries,
  visit: PricedRow,
  site: ChosenSite,
  now: UtcTime,
): Promise<Price | null> {
  return (await pricedNow(q, visit, site, now))?.price ?? null;
}

/** The same with the product that made the price. */
export async function pricedNow(
  q: Queries,
  visit: PricedRow,
  { timeZone }: Pick<ChosenSite, 'timeZone'>,
  now: UtcTime,
): Promise<PricedStay | null> {
  const { plate, siteId } = visit;
  const permits = plate === null ? [] : await permitsLike(q, plate, siteId);
  return priceStay(visit, visit.endedAt ?? now, { ...(await stayFacts(q, visit)), permits, timeZone });
}
