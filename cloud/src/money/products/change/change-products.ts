import { newId } from '@hlid/node/new-id';
import { canonicalJson } from '@hlid/protocol/base/canonical-json';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { Db, Queries, Tx } from '../../../platform/db/db.ts';
import { type Actor, callerName } from '../../../platform/http/caller.ts';
import { isStale, STALE } from '../../../platform/http/etag.ts';
import { NOT_FOUND, type Refused, type RefusedEdit, refusedInput } from '../../../platform/refused.ts';
import { publishChange } from '../../../records/feed/publish-change.ts';
import { publishItem } from '../../../records/feed/publish-item.ts';
import type { ProductRow } from '../../../records/products/product-table.ts';
import { type ChosenSite, NO_SUCH_SITE, onlySite, siteById } from '../../../records/sites/choose-site.ts';
import { findProduct, listProducts } from '../find-products.ts';
import type { NewProduct, ProductEdit } from '../product.ts';
import {
  endVersion,
  insertProduct,
  nextVersion,
  noteVersion,
  updateProductRow,
  withdrawVersion,
} from '../product-store.ts';
import { auditProduct } from './audit-product.ts';
import { beginPlanned, begunForm } from './begin-planned.ts';
import { checkedVat } from './checked-vat.ts';
import { editedProduct } from './edited-product.ts';
import { planVersion } from './plan-version.ts';
import { isInUse, leavesUnpriced } from './product-use.ts';
import { putOf } from './put-product.ts';
import { republishQuotas } from './republish-quotas.ts';

export type ProductResult = { ok: true; product: ProductRow } | Refused;

const USUAL_CURRENCY = 'ISK';
const WHOLE_DAY = { startTime: '00:00', endTime: '23:59' };

/**
 * Adds a product, and notifies the sites that sell it. Its currency is the site's unless it names another.
 */
export async function createProduct(db: Db, actor: Actor, body: NewProduct): Promise<ProductResult> {
  return await db.write(async (tx) => {
    const site = await siteOf(tx.q, body.siteId);
    if (site === 'unknown') return refusedInput(NO_SUCH_SITE);
    const vat = checkedVat(body);
    if (!vat.ok) return vat;
    const { price, ...fields } = body;
    const product: ProductRow = {
      id: newId(),
      ...fields,
      siteId: body.siteId ?? null,
      priceMinor: price,
      currency: body.currency ?? site?.currency ?? USUAL_CURRENCY,
      ...vat.vat,
      category: body.category ?? null,
      name: body.name ?? {},
      config: body.config ?? WHOLE_DAY,
      version: 1,
      planned: [],
      createdAt: actor.at,
      modifiedAt: actor.at,
      deletedAt: null,
    };
    const refused = otherCurrency(product, site) ?? (await rivalOf(tx.q, product));
    if (refused) return refused;
    await insertProduct(tx.q, product);
    await noteVersion(tx.q, product, { at: actor.at, by: callerName(actor.caller) });
    await publishItem(tx, { now: product.siteId }, putOf(product));
    await auditProduct(tx, actor, 'product.create', null, product);
    return { ok: true, product };
  });
}

/** Changes what is given, now or from a later day on. There is a new version, unless all is as it was. */
export async function updateProduct(
  db: Db,
  actor: Actor,
  id: string,
  { validFrom, ...edit }: ProductEdit,
): Promise<{ ok: true; product: ProductRow } | RefusedEdit> {
  return await db.write(async (tx) => {
    const found = await findProduct(tx.q, id);
    if (found === null) return NOT_FOUND;
    if (isStale(actor, found)) return STALE;
    return validFrom === undefined
      ? await changeNow(tx, actor, found, edit)
      : await planVersion(tx, actor, found, validFrom, edit);
  });
}

async function changeNow(
  tx: Tx,
  actor: Actor,
  found: ProductRow,
  edit: Omit<ProductEdit, 'validFrom'>,
): Promise<{ ok: true; product: ProductRow } | RefusedEdit> {
  // The form that holds at any site already is edited, so that it does not follow the change at other sites.
  const before = await begunForm(tx.q, found, actor.at, 'anywhere');
  const changed = editedProduct(before, edit);
  if (!changed.ok) return changed;
  const edited = changed.product;
  if (canonicalJson(edited) === canonicalJson(before)) return { ok: true, product: found };
  const refused = await changeRefusal(tx.q, before, edited);
  if (refused) return refused;
  await beginPlanned(tx, found, actor.at, 'anywhere');
  const product = { ...edited, version: await nextVersion(tx.q, found.id), modifiedAt: actor.at };
  const inUse = await republishQuotas(tx, before, product);
  if (inUse !== null) return refusedInput(inUse);
  await updateProductRow(tx.q, product);
  await noteVersion(tx.q, product, { at: actor.at, by: callerName(actor.caller) });
  await publishItem(tx, { before: before.siteId, now: product.siteId }, putOf(product));
  await auditProduct(tx, actor, 'product.update', before, product);
  return { ok: true, product };
}

/** Takes a product off sale. */
export async function deleteProduct(db: Db, actor: Actor, id: string): Promise<{ ok: true } | Refused> {
  return await db.write(async (tx) => {
    const product = await findProduct(tx.q, id);
    if (product === null) return NOT_FOUND;
    const unpriced = await leavesUnpriced(tx.q, product, null);
    if (unpriced !== null) return refusedInput(unpriced);
    const by = { at: actor.at, by: callerName(actor.caller) };
    for (const { version } of product.planned) await withdrawVersion(tx.q, id, version, by);
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
