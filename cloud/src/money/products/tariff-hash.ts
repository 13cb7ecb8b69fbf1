import { createHash } from 'node:crypto';
import { canonicalJson } from '@hlid/protocol/base/canonical-json';
import type { PricedBy, Product } from '@hlid/protocol/tariff/product';
import type { Queries } from '../../platform/db/db.ts';
import { productVersion } from './find-products.ts';

const HASH_DIGITS = 16;

/**
 * The digest of what decides a price. A person who has the product can compute it and compare it with a
 * receipt.
 */
export function tariffHash({
  priceMinor,
  currency,
  vatRate,
  config,
}: Pick<Product, 'priceMinor' | 'currency' | 'vatRate' | 'config'>): string {
  const text = canonicalJson({ priceMinor, currency, vatRate, config });
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS);
}

/** The tariff that made a price, as a receipt names it: its version and its digest; null: it is not known here. */
export async function tariffMark(q: Queries, product: PricedBy | null | undefined): Promise<string | null> {
  if (!product) return null;
  const priced = await productVersion(q, product);
  return priced === null ? null : `${product.version} · ${tariffHash(priced)}`;
}
