import { newId } from '@hlid/node/new-id';
import { canonicalJson } from '@hlid/protocol/base/canonical-json';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { ProductConfigSchema, USUAL_VAT_RATE } from '@hlid/protocol/tariff/product';
import { auditOf } from '../../../people/audit/audit.ts';
import { lacksProof } from '../../../people/auth/session-life.ts';
import type { Db, Queries } from '../../../platform/db/db.ts';
import type { Actor } from '../../../platform/http/caller.ts';
import { isStale, STALE } from '../../../platform/http/etag.ts';
import { mergeSettings } from '../../../platform/http/merge-settings.ts';
import { omitUndefined } from '../../../platform/omit-undefined.ts';
import {
  NOT_FOUND,
  type Refused,
  type RefusedEdit,
  type RefusedProof,
  refusedInput,
  STEP_UP,
} from '../../../platform/refused.ts';
import { publishChange } from '../../../records/feed/publish-change.ts';
import { publishItem } from '../../../records/feed/publish-item.ts';
import type { ProductRow } from '../../../records/products/product-table.ts';
import { type ChosenSite, NO_SUCH_SITE, onlySite, siteById } from '../../../records/sites/choose-site.ts';
import { findProduct, listProducts } from '../find-products.ts';
import {
  type NewProduct,
  type ProductEdit,
  ProductNameSchema,
  productFrom,
  siteProduct,
} from '../product.ts';
import { endVersion, insertProduct, noteVersion, updateProductRow } from '../product-store.ts';
import { isInUse, leavesUnpriced } from './product-use.ts';
import { republishQuotas } from './republish-quotas.ts';

const auditProduct = auditOf('product', (row: ProductRow) => {
  const { warnings: _, ...product } = productFrom(row);
  return product;
});

export type ProductResult = { ok: true; product: ProductRow } | Refused | RefusedProof;

const USUAL_CURRENCY = 'ISK';
const WHOLE_DAY = { startTime: '00:00', endTime: '23:59' };

/**
 * Adds a product, and notifies the sites that sell it. Its currency is the site's unless it names another.
 */
export async function createProduct(db: Db, actor: Actor, body: NewProduct): Promise<ProductResult> {
  return await db.write(async (tx) => {
    const site = await siteOf(tx.q, body.siteId);
    if (site === 'unknown') return refusedInput(NO_SUCH_SITE);
    const { price, ...fields } = body;
    const product: ProductRow = {
      id: newId(),
      ...fields,
      siteId: body.siteId ?? null,
      priceMinor: price,
      currency: body.currency ?? site?.currency ?? USUAL_CURRENCY,
      vatRate: body.vatRate ?? USUAL_VAT_RATE,
      category: body.category ?? null,
      name: body.name ?? {},
      config: body.config ?? WHOLE_DAY,
      version: 1,
      createdAt: actor.at,
      modifiedAt: actor.at,
      deletedAt: null,
    };
    const refused = otherCurrency(product, site) ?? (await rivalOf(tx.q, product));
    if (refused) return refused;
    if (product.siteId === null && lacksProof(actor)) return STEP_UP;
    await insertProduct(tx.q, product);
    await noteVersion(tx.q, product);
    await publishItem(tx, { now: product.siteId }, putOf(product));
    await auditProduct(tx, actor, 'product.create', null, product);
    return { ok: true, product };
  });
}

/** Changes what is given; the version counts up, unless all is as it was. */
export async function updateProduct(
  db: Db,
  actor: Actor,
  id: string,
  { price, config, name, ...edit }: ProductEdit,
): Promise<{ ok: true; product: ProductRow } | RefusedEdit> {
  return await db.write(async (tx) => {
    const before = await findProduct(tx.q, id);
    if (before === null) return NOT_FOUND;
    if (isStale(actor, before)) return STALE;
    const configured = mergeSettings(ProductConfigSchema, before.config, config, 'config');
    const named = mergeSettings(ProductNameSchema, before.name, name, 'name');
    if (!configured.ok) return configured;
    if (!named.ok) return named;
    const edited: ProductRow = {
      ...before,
      ...omitUndefined(edit),
      priceMinor: price ?? before.priceMinor,
      config: configured.settings,
      name: named.settings,
    };
    if (canonicalJson(edited) === canonicalJson(before)) return { ok: true, product: before };
    const refused = await changeRefusal(tx.q, before, edited);
    if (refused) return refused;
    if ((before.siteId === null || edited.siteId === null) && lacksProof(actor)) return STEP_UP;
    const product = { ...edited, version: before.version + 1, modifiedAt: actor.at };
    const inUse = await republishQuotas(tx, before, product);
    if (inUse !== null) return refusedInput(inUse);
    await updateProductRow(tx.q, product);
    await noteVersion(tx.q, product);
    await publishItem(tx, { before: before.siteId, now: product.siteId }, putOf(product));
    await auditProduct(tx, actor, 'product.update', before, product);
    return { ok: true, product };
  });
}

/** Takes a product off sale. */
export async function deleteProduct(
  db: Db,
  actor: Actor,
  id: string,
): Promise<{ ok: true } | Refused | RefusedProof> {
  return await db.write(async (tx) => {
    const product = await findProduct(tx.q, id);
    if (product === null) return NOT_FOUND;
    const unpriced = await leavesUnpriced(tx.q, product, null);
    if (unpriced !== null) return refusedInput(unpriced);
    if (product.siteId === null && lacksProof(actor)) return STEP_UP;
    await updateProductRow(tx.q, { ...product, modifiedAt: actor.at, deletedAt: actor.at });
    await endVersion(tx.q, id, actor.at);
    await publishChange(tx, product.siteId ?? 'all', { kind: 'product', op: 'remove', id });
    await auditProduct(tx, actor, 'product.delete', product, null);
    return { ok: true };
  });
}

async function changeRefusal(q: Queries, before: ProductRow, edited: ProductRow): Promise<Refused | null> {
  const site = await siteOf(q, edited.siteId);
  if (site === 'unknown') return refusedInput(NO_SUCH_SITE);
  if (edited.currency !== before.currency && (await isInUse(q, before))) {
    const currencies = { before: before.currency, after: edited.currency };
    return refusedInput(mistake('currency-in-use', 'currency', currencies));
  }
  const unpriced = await leavesUnpriced(q, before, edited);
  if (unpriced !== null) return refusedInput(unpriced);
  return otherCurrency(edited, site) ?? (await rivalOf(q, edited));
}

/** A site has one currency, so that its amounts can be compared and added up. */
function otherCurrency({ siteId, currency }: ProductRow, site: ChosenSite | null): Refused | null {
  if (siteId === null || site === null || site.currency === currency) return null;
  return refusedInput(mistake('site-currency', 'currency', { currency: site.currency }));
}

/**
 * A visit has one price: two products that price a category at the same place would leave it to chance. A site's own
 * product may stand beside the one of all sites, and comes before it.
 */
async function rivalOf(q: Queries, product: ProductRow): Promise<Refused | null> {
  const { id, type, vehicleCategory, currency, siteId } = product;
  if (type === 'quota') return null;
  const rival = (await listProducts(q)).find(
    (other) =>
      other.id !== id &&
      other.type === type &&
      other.vehicleCategory === vehicleCategory &&
      other.currency === currency &&
      other.siteId === siteId,
  );
  if (rival === undefined) return null;
  const why = mistake('product-taken', [], { type, vehicleCategory });
  return { ok: false, reason: 'already-there', id: rival.id, mistake: why };
}

async function siteOf(q: Queries, id: string | null | undefined): Promise<ChosenSite | null | 'unknown'> {
  if (id === undefined || id === null) return await onlySite(q);
  return (await siteById(q, id)) ?? 'unknown';
}

function putOf(product: ProductRow) {
  return { kind: 'product', op: 'put', id: product.id, item: siteProduct(product) } as const;
}
