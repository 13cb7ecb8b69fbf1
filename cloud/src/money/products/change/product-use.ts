import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { pricingProduct } from '@hlid/protocol/tariff/product';
import type { Queries } from '../../../platform/db/db.ts';
import type { ProductRow } from '../../../records/products/product-table.ts';
import { siteById } from '../../../records/sites/choose-site.ts';
import { siteNames } from '../../../records/sites/find-sites.ts';
import { hasVisitsSince } from '../../../records/visits/find-visits.ts';
import { productsSoldAt } from '../find-products.ts';
import { quotasOfProduct } from './republish-quotas.ts';

/** Whether something has been priced by a product, or may have been: then its amounts are in its currency for good. */
export async function isInUse(q: Queries, { id, type, siteId, createdAt }: ProductRow): Promise<boolean> {
  if (type === 'quota') return (await quotasOfProduct(q, id)).length > 0;
  return await hasVisitsSince(q, siteId, createdAt);
}

/**
 * The reason why a product in use may not be changed so, or deleted (`after` is null). Vehicles of its
 * category would have no price, or the price of the other category. Null: something takes its place.
 */
export async function leavesUnpriced(
  q: Queries,
  before: ProductRow,
  after: ProductRow | null,
): Promise<Mistake | null> {
  const { vehicleCategory } = before;
  if (before.type === 'quota' || !(await isInUse(q, before))) return null;
  const names = await siteNames(q);
  const unpriced: string[] = [];
  for (const id of before.siteId === null ? names.keys() : [before.siteId]) {
    const currency = (await siteById(q, id))?.currency;
    if (currency === undefined) continue;
    const products = await productsSoldAt(q, id);
    if (pricingProduct(products, vehicleCategory, currency)?.id !== before.id) continue;
    const others = products.filter((product) => product.id !== before.id);
    const isSold = after !== null && (after.siteId === null || after.siteId === id);
    const next = pricingProduct(isSold ? [...others, after] : others, vehicleCategory, currency);
    if (next?.vehicleCategory !== vehicleCategory) unpriced.push(names.get(id) ?? id);
  }
  if (unpriced.length === 0) return null;
  return mistake('leaves-unpriced', [], { vehicleCategory, sites: unpriced });
}
