import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { SiteSettings } from '@hlid/protocol/records/lane';
import type { VisitPrice } from '@hlid/protocol/records/visit';
import { type PricedStay, type PricedVisit, priceStay, settingsUnder } from '@hlid/protocol/rules/stay-price';
import type { Price } from '@hlid/protocol/tariff/price-visit';
import { productVersion } from '../../../money/products/find-products.ts';
import type { SoldProducts } from '../../../money/products/pricing-product.ts';
import type { Queries } from '../../../platform/db/db.ts';
import type { ChosenSite } from '../../../records/sites/choose-site.ts';
import type { VisitRow } from '../../../records/visits/visit-table.ts';
import { permitsLike } from '../../../vehicles/whitelist/permits-like.ts';
import { stayFacts } from './stay-facts.ts';

type PricedRow = PricedVisit & Pick<VisitRow, 'siteId' | 'endedAt' | 'vehicleCategory'>;

/** The debt of a visit by now, or by its end, as its site would price it; null where it has no price. */
export async function priceNow(
  q: Queries,
  visit: PricedRow,
  site: ChosenSite,
  now: UtcTime,
  sold?: SoldProducts,
): Promise<Price | null> {
  return (await pricedNow(q, visit, site, now, sold))?.price ?? null;
}

/** The same with the product that made the price. */
export async function pricedNow(
  q: Queries,
  visit: PricedRow,
  site: ChosenSite,
  now: UtcTime,
  sold?: SoldProducts,
): Promise<PricedStay | null> {
  const { plate } = visit;
  const { id, timeZone } = site;
  const permits = plate === null ? [] : await permitsLike(q, plate, id);
  const facts = await stayFacts(q, visit, site, now, sold);
  return priceStay(visit, visit.endedAt ?? now, { ...facts, permits, timeZone });
}

/** A site's settings with the times of grace of the tariff that made a price, where it has its own. */
export async function settingsFor(
  q: Queries,
  { settings }: Pick<ChosenSite, 'settings'>,
  price: Pick<VisitPrice, 'product'> | null,
): Promise<SiteSettings> {
  return settingsUnder(settings, price && (await productVersion(q, price.product)));
}
