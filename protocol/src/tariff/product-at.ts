import { startOfLocalDay } from '../base/site-time.ts';
import type { UtcTime } from '../base/utc-time.ts';
import { vatOf } from '../base/vat.ts';
import { decidedVat, type SiteVat, siteVatAt } from '../base/vat-schema.ts';
import type { PlannedVersion, Product } from './product.ts';

/**
 * A product as it is at a moment at a site: with the newest of its planned versions that has begun there. No step puts a
 * version into force: each program with the list computes it, also without a line and after a restart (ADR 16). A product
 * without a VAT of its own has that of the site.
 *
 * @param timeZone IANA zone of the site
 * @param siteVat the VAT of the site, as its settings have it
 */
export function productAt(
  { planned, ...present }: Product,
  at: UtcTime,
  timeZone: string,
  siteVat?: readonly SiteVat[],
): Product {
  const newest = planned?.findLast((version) => holdsAt(version, at, timeZone));
  if (newest === undefined) return withVat(present, siteVatAt(siteVat, at, timeZone));
  const { from: _, ...version } = newest;
  // A version has its own VAT, or none: never a reason of the version before it.
  const { vatCategory = null, vatReason = null } = version;
  return withVat({ ...present, ...version, vatCategory, vatReason }, siteVatAt(siteVat, at, timeZone));
}

function withVat(product: Product, { prices }: Pick<SiteVat, 'prices'>): Product {
  if (prices === undefined || vatOf(product).category !== null) return product;
  const { category, rate, reason } = decidedVat(prices);
  return { ...product, vatRate: rate, vatCategory: category, vatReason: reason };
}

/** Whether the day of a planned version has begun at a site. */
export function holdsAt({ from }: Pick<PlannedVersion, 'from'>, at: UtcTime, timeZone: string): boolean {
  return startOfLocalDay(from, timeZone) <= at;
}
