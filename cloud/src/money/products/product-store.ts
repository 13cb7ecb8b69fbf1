import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { PlannedVersion, Product } from '@hlid/protocol/tariff/product';
import type { Queries } from '../../platform/db/db.ts';
import { and, eq, isNotNull, isNull, max } from '../../platform/db/sql.ts';
import {
  type ProductRow,
  productTable,
  productVersionTable as t,
} from '../../records/products/product-table.ts';
import { siteProduct, withVersion } from './product.ts';

/** The author of a change, and its time. */
interface By {
  at: UtcTime;
  by: string;
}

export async function insertProduct(q: Queries, row: ProductRow): Promise<void> {
  await q.insert(productTable).values(row);
}

export async function updateProductRow(q: Queries, row: ProductRow): Promise<void> {
  await q.update(productTable).set(row).where(eq(productTable.id, row.id));
}

/** The number of the next version of a product: no two have the same, whether they ever held or not. */
export async function nextVersion(q: Queries, id: string): Promise<number> {
  const newest = await q
    .select({ version: max(t.version) })
    .from(t)
    .where(eq(t.id, id))
    .get();
  return (newest?.version ?? 0) + 1;
}

/** Notes a version that holds from now on, in the transaction that makes it; the one before is over. */
export async function noteVersion(q: Queries, row: ProductRow, { at, by }: By): Promise<void> {
  await endVersion(q, row.id, at);
  await insertVersion(q, siteProduct(row), { at, by }, { since: at, validFrom: null });
}

/** Notes a version that is planned. */
export async function notePlanned(
  q: Queries,
  { planned: _, ...row }: ProductRow,
  version: PlannedVersion,
  by: By,
): Promise<void> {
  const product = siteProduct({ ...withVersion({ ...row, planned: [] }, version), planned: [] });
  await insertVersion(q, product, by, { since: null, validFrom: version.from });
}

/**
 * Stores the plans after the version in force has changed: none of them has begun, so that past prices stay
 * as they are.
 */
export async function notePlans(q: Queries, row: ProductRow): Promise<void> {
  await q
    .update(t)
    .set({ product: siteProduct(row) })
    .where(and(eq(t.id, row.id), isNotNull(t.since), isNull(t.until)));
}

/** A version that was planned is what the product is from now on. */
export async function beginVersion(q: Queries, row: ProductRow, at: UtcTime): Promise<void> {
  await endVersion(q, row.id, at);
  await q
    .update(t)
    .set({ since: at, product: siteProduct(row) })
    .where(and(eq(t.id, row.id), eq(t.version, row.version)));
}

/** A version that is planned will not hold. */
export async function withdrawVersion(
  q: Queries,
  id: string,
  version: number,
  { at, by }: By,
): Promise<void> {
  await q
    .update(t)
    .set({ withdrawnAt: at, withdrawnBy: by })
    .where(and(eq(t.id, id), eq(t.version, version)));
}

/** Ends a version of a product: from that moment another version is sold, or none. */
export async function endVersion(q: Queries, id: string, until: UtcTime): Promise<void> {
  await q
    .update(t)
    .set({ until })
    .where(and(eq(t.id, id), isNotNull(t.since), isNull(t.until)));
}

async function insertVersion(
  q: Queries,
  product: Product,
  { at, by }: By,
  times: { since: UtcTime | null; validFrom: string | null },
): Promise<void> {
  const { id, version, type, siteId = null } = product;
  await q.insert(t).values({
    ...times,
    id,
    version,
    product,
    siteId,
    type,
    until: null,
    savedAt: at,
    savedBy: by,
    withdrawnAt: null,
    withdrawnBy: null,
  });
}
