import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Product } from '@hlid/protocol/tariff/product';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import {
  and,
  asc,
  desc,
  eq,
  eqPlaceholder,
  gt,
  inArray,
  isNull,
  lte,
  ne,
  or,
  sql,
} from '../../platform/db/sql.ts';

import {
  type ProductRow,
  type ProductVersionRow,
  productTable,
  productVersionTable as t,
} from '../../records/products/product-table.ts';

const allProducts = prepared((q) =>
  q
    .select()
    .from(productTable)
    .where(isNull(productTable.deletedAt))
    .orderBy(desc(productTable.createdAt), desc(productTable.id))
    .prepare(),
);

const productById = prepared((q) =>
  q
    .select()
    .from(productTable)
    .where(and(eqPlaceholder(productTable.id, 'id'), isNull(productTable.deletedAt)))
    .prepare(),
);

/** Every product that is sold, newest first. */
export async function listProducts(q: Queries): Promise<ProductRow[]> {
  return await allProducts(q).all();
}

export async function findProduct(q: Queries, id: string): Promise<ProductRow | null> {
  return (await productById(q).get({ id })) ?? null;
}

const soldAt = prepared((q) =>
  q
    .select()
    .from(productTable)
    .where(
      and(
        ne(productTable.type, 'quota'),
        isNull(productTable.deletedAt),
        or(isNull(productTable.siteId), eqPlaceholder(productTable.siteId, 'siteId')),
      ),
    )
    .orderBy(asc(productTable.id))
    .prepare(),
);

/** The products that price visits at a site, in the site's order. */
export async function productsSoldAt(q: Queries, siteId: string): Promise<ProductRow[]> {
  return await soldAt(q).all({ siteId });
}

/** All versions of a product, the newest first. */
export async function versionsOfProduct(q: Queries, id: string): Promise<ProductVersionRow[]> {
  return await q.select().from(t).where(eq(t.id, id)).orderBy(desc(t.version));
}

const byVersion = prepared((q) =>
  q
    .select({ product: t.product })
    .from(t)
    .where(and(eqPlaceholder(t.id, 'id'), eqPlaceholder(t.version, 'version')))
    .prepare(),
);

/** A product as it was; null: its version then is not recorded. */
export async function productVersion(
  q: Queries,
  { id, version }: Pick<Product, 'id' | 'version'>,
): Promise<Product | null> {
  return (await byVersion(q).get({ id, version }))?.product ?? null;
}

const inForce = prepared((q) =>
  q
    .select({ product: t.product })
    .from(t)
    .where(
      and(
        inArray(t.type, ['default', 'visit']),
        lte(t.since, sql.placeholder('at')),
        or(isNull(t.until), gt(t.until, sql.placeholder('at'))),
        or(isNull(t.siteId), eqPlaceholder(t.siteId, 'siteId')),
      ),
    )
    .orderBy(asc(t.id))
    .prepare(),
);

/**
 * The products sold to visits at a site at a moment, each with what was planned to follow; empty: there were none, or
 * they are not recorded.
 */
export async function productsSoldThen(q: Queries, siteId: string, at: UtcTime): Promise<Product[]> {
  return (await inForce(q).all({ siteId, at })).map(({ product }) => product);
}

const versionsAt = prepared((q) =>
  q
    .select({ product: t.product, since: t.since, until: t.until })
    .from(t)
    .where(
      and(inArray(t.type, ['default', 'visit']), or(isNull(t.siteId), eqPlaceholder(t.siteId, 'siteId'))),
    )
    .orderBy(asc(t.id))
    .prepare(),
);

/** All versions of what was ever sold to visits at a site, with the time in which each was sold. */
export async function versionsSoldAt(q: Queries, siteId: string) {
  return await versionsAt(q).all({ siteId });
}

/** The fields that a quota takes over from its product. */
export type QuotaProduct = Pick<ProductRow, 'siteId' | 'vehicleCategory' | 'name' | 'productCode' | 'config'>;

/** The product that a quota is to be of, or why it cannot be. */
export async function quotaProduct(q: Queries, id: string): Promise<QuotaProduct | Mistake> {
  const product = await findProduct(q, id);
  if (product === null) return mistake('not-found', 'product', { what: 'product' });
  return product.type === 'quota' ? product : mistake('not-a-quota', 'product');
}
