import { canonicalJson } from '@hlid/protocol/base/canonical-json';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { startOfLocalDay } from '@hlid/protocol/base/site-time';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import type { PlannedVersion } from '@hlid/protocol/tariff/product';
import type { Db, Queries, Tx } from '../../../platform/db/db.ts';
import { type Actor, callerName } from '../../../platform/http/caller.ts';
import {
  NOT_FOUND,
  type Refused,
  type RefusedEdit,
  type RefusedInput,
  refusedInput,
} from '../../../platform/refused.ts';
import { publishItem } from '../../../records/feed/publish-item.ts';
import type { ProductRow } from '../../../records/products/product-table.ts';
import { timeZonesOf } from '../../../records/sites/choose-site.ts';
import { findProduct, productVersion } from '../find-products.ts';
import { type ProductEdit, withVersion } from '../product.ts';
import { nextVersion, notePlanned, notePlans, updateProductRow, withdrawVersion } from '../product-store.ts';
import { auditProduct } from './audit-product.ts';
import { begunVersions } from './begin-planned.ts';
import { editedProduct } from './edited-product.ts';
import { putOf } from './put-product.ts';

/** Each is sent to every site with its product. */
const MAX_PLANNED = 12;
const MAX_AHEAD_MS = 5 * 366 * DAY_MS;
/** They say where and to whom a product is sold, which no day changes. */
const FIELDS_OF_ALL_VERSIONS = ['type', 'currency', 'vehicleCategory', 'siteId'] as const;

/**
 * Plans a version that holds from a later day on, in the running transaction. It is made of the version that would hold
 * on that day, which may be one that is planned for the same day: that one is withdrawn.
 */
export async function planVersion(
  tx: Tx,
  actor: Actor,
  before: ProductRow,
  validFrom: string,
  edit: Omit<ProductEdit, 'validFrom'>,
): Promise<{ ok: true; product: ProductRow } | RefusedEdit> {
  const refused = await dayRefusal(tx.q, actor, before, validFrom);
  if (refused) return refused;
  const replaced = before.planned.find(({ from }) => from === validFrom);
  const base = formOn(before, validFrom);
  const changed = editedProduct(base, edit);
  if (!changed.ok) return changed;
  const fixed = FIELDS_OF_ALL_VERSIONS.filter((field) => changed.product[field] !== before[field]);
  if (fixed.length > 0) return refusedInput(...fixed.map((field) => mistake('not-in-version', field)));
  if (canonicalJson(changed.product) === canonicalJson(base)) return { ok: true, product: before };
  if (replaced === undefined && before.planned.length >= MAX_PLANNED) {
    return refusedInput(mistake('too-many-planned', 'validFrom', { max: MAX_PLANNED }));
  }
  const by = { at: actor.at, by: callerName(actor.caller) };
  // Another number than the one before it: a site whose line is cut may price with that one.
  const version = versionOf(changed.product, await nextVersion(tx.q, before.id), validFrom);
  const others = before.planned.filter((plan) => plan !== replaced);
  const planned = [...others, version].toSorted((a, b) => (a.from < b.from ? -1 : 1));
  if (replaced) await withdrawVersion(tx.q, before.id, replaced.version, by);
  await notePlanned(tx.q, before, version, by);
  return { ok: true, product: await savePlans(tx, actor, before, planned, 'product.plan') };
}

/** Withdraws a version that does not hold anywhere yet. */
export async function withdrawPlanned(
  db: Db,
  actor: Actor,
  id: string,
  number: number,
): Promise<{ ok: true } | Refused> {
  return await db.write(async (tx) => {
    const before = await findProduct(tx.q, id);
    if (before === null || (await productVersion(tx.q, { id, version: number })) === null) return NOT_FOUND;
    const version = before.planned.find((plan) => plan.version === number);
    const begun = await begunVersions(tx.q, before, actor.at, 'anywhere');
    if (version === undefined || begun.includes(version)) {
      return refusedInput(mistake('version-not-planned'));
    }
    await withdrawVersion(tx.q, id, number, { at: actor.at, by: callerName(actor.caller) });
    const planned = before.planned.filter((plan) => plan !== version);
    await savePlans(tx, actor, before, planned, 'product.withdraw');
    return { ok: true };
  });
}

/** The product with other plans: for its sites, its history and the audit log. */
async function savePlans(
  tx: Tx,
  actor: Actor,
  before: ProductRow,
  planned: PlannedVersion[],
  action: 'product.plan' | 'product.withdraw',
): Promise<ProductRow> {
  const product = { ...before, planned, modifiedAt: actor.at };
  await updateProductRow(tx.q, product);
  await notePlans(tx.q, product);
  await publishItem(tx, { now: product.siteId }, putOf(product));
  await auditProduct(tx, actor, action, before, product);
  return product;
}

/** A version may only begin later, at every site: what has been priced stays priced. */
async function dayRefusal(
  q: Queries,
  { at }: Actor,
  { siteId }: ProductRow,
  validFrom: string,
): Promise<RefusedInput | null> {
  const starts = (await timeZonesOf(q, siteId)).map((zone) => startOfLocalDay(validFrom, zone));
  if (starts.some((start) => start <= at)) return refusedInput(mistake('valid-from-not-ahead', 'validFrom'));
  const last = utcTime(millis(at) + MAX_AHEAD_MS);
  return starts.some((start) => start > last)
    ? refusedInput(mistake('valid-from-too-far', 'validFrom'))
    : null;
}

/** A product as it would be on a later day by what is planned. */
function formOn(product: ProductRow, day: string): ProductRow {
  const newest = product.planned.findLast(({ from }) => from <= day);
  if (newest === undefined) return product;
  return withVersion(product, newest);
}

function versionOf(
  { priceMinor, vatRate, vatCategory, vatReason, category, name, productCode, config }: ProductRow,
  version: number,
  from: string,
): PlannedVersion {
  return { from, version, priceMinor, vatRate, vatCategory, vatReason, category, name, productCode, config };
}
