import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { holdsAt } from '@hlid/protocol/tariff/product-at';
import { cloudActor } from '../../../people/audit/audit.ts';
import type { Db, Queries, Tx } from '../../../platform/db/db.ts';
import type { ScheduledRun } from '../../../platform/jobs/scheduled-runs.ts';
import { publishItem } from '../../../records/feed/publish-item.ts';
import type { ProductRow } from '../../../records/products/product-table.ts';
import { timeZonesOf } from '../../../records/sites/choose-site.ts';
import { findProduct, listProducts } from '../find-products.ts';
import { withVersion } from '../product.ts';
import { beginVersion, updateProductRow } from '../product-store.ts';
import { auditProduct } from './audit-product.ts';
import { putOf } from './put-product.ts';

const EVERY_MS = 30_000;

/**
 * Makes planned versions what their products are, when their day has begun at every site that sells them. Prices do not
 * wait for it: both ends compute them by `productAt`. It is for lists and forms, and for gateways of before there were
 * plans, which get the new form by the feed.
 */
export function plannedVersionRun(db: Db): ScheduledRun {
  return {
    name: 'planned-versions',
    everyMs: EVERY_MS,
    isDue: async (now) => (await db.read((q) => productsDue(q, now))).length > 0,
    async work({ now, signal }) {
      for (const id of await db.read((q) => productsDue(q, now))) {
        if (signal.aborted) return;
        await db.write(async (tx) => {
          const product = await findProduct(tx.q, id);
          if (product !== null) await beginPlanned(tx, product, now, 'everywhere');
        });
      }
    },
  };
}

/**
 * Puts the newest planned version of a product in force whose day has begun, in the running transaction.
 *
 * @param where at every site that sells it, or at one of them
 * @returns the product as it is now
 */
export async function beginPlanned(
  tx: Tx,
  before: ProductRow,
  now: UtcTime,
  where: 'everywhere' | 'anywhere',
): Promise<ProductRow> {
  const begun = await begunForm(tx.q, before, now, where);
  if (begun === before) return before;
  const product = { ...begun, modifiedAt: now };
  await updateProductRow(tx.q, product);
  await beginVersion(tx.q, product, now);
  await publishItem(tx, { now: product.siteId }, putOf(product));
  await auditProduct(tx, cloudActor('tariffs', now), 'product.begin', before, product);
  return product;
}

/** A product with the newest planned version that has begun; the product itself where none has. */
export async function begunForm(
  q: Queries,
  product: ProductRow,
  now: UtcTime,
  where: 'everywhere' | 'anywhere',
): Promise<ProductRow> {
  const begun = await begunVersions(q, product, now, where);
  const newest = begun.at(-1);
  if (newest === undefined) return product;
  const planned = product.planned.filter((plan) => !begun.includes(plan));
  return { ...withVersion(product, newest), planned };
}

/** The planned versions of a product that have begun, in their order. */
export async function begunVersions(
  q: Queries,
  { planned, siteId }: Pick<ProductRow, 'planned' | 'siteId'>,
  now: UtcTime,
  where: 'everywhere' | 'anywhere',
): Promise<ProductRow['planned']> {
  if (planned.length === 0) return [];
  const zones = await timeZonesOf(q, siteId);
  return planned.filter((version) => {
    const holds = (zone: string) => holdsAt(version, now, zone);
    return where === 'everywhere' ? zones.every(holds) : zones.some(holds);
  });
}

async function productsDue(q: Queries, now: UtcTime): Promise<string[]> {
  const due: string[] = [];
  for (const product of await listProducts(q)) {
    if ((await begunVersions(q, product, now, 'everywhere')).length > 0) due.push(product.id);
  }
  return due;
}
