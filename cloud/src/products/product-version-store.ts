import type { Product } from '@hlid/protocol/product';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { and, asc, eq, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import type { Queries } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import { siteProduct } from './product.ts';
import type { ProductRow } from './product-store.ts';
import { productVersionTable as t } from './product-version-table.ts';

/** Notes a version of a product, in the transaction that makes it; the one before is over. */
export async function noteVersion(q: Queries, row: ProductRow): Promise<void> {
  await endVersion(q, row.id, row.modifiedAt);
  const { id, version, siteId, type, modifiedAt: since } = row;
  const product = siteProduct(row);
  await q.insert(t).values({ id, version, since, product, siteId, type, until: null });
}

/** From then on the product is another, or not sold. */
export async function endVersion(q: Queries, id: string, until: UtcTime): Promise<void> {
  await q
    .update(t)
    .set({ until })
    .where(and(eq(t.id, id), isNull(t.until)));
}

const byVersion = prepared((q) =>
  q
    .select({ product: t.product })
    .from(t)
    .where(and(eq(t.id, sql.placeholder('id')), eq(t.version, sql.placeholder('version'))))
    .prepare(),
);

/** A product as it was; null where nobody noted it. */
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
        or(isNull(t.siteId), eq(t.siteId, sql.placeholder('siteId'))),
      ),
    )
    .orderBy(asc(t.id))
    .prepare(),
);

/** What was sold to visits at a site at a moment; empty where nothing was, or nobody noted it. */
export async function productsSoldThen(q: Queries, siteId: string, at: UtcTime): Promise<Product[]> {
  return (await inForce(q).all({ siteId, at })).map(({ product }) => product);
}
