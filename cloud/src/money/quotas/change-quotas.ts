import { newId } from '@hlid/node/new-id';
import { canonicalJson } from '@hlid/protocol/base/canonical-json';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { ProductConfigSchema } from '@hlid/protocol/tariff/product';
import { auditOf } from '../../people/audit/audit.ts';
import { quotaGiftMistakes } from '../../people/auth/gifts.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import { type Actor, ownRows } from '../../platform/http/caller.ts';
import { isStale, STALE } from '../../platform/http/etag.ts';
import { mergeSettings } from '../../platform/http/merge-settings.ts';
import {
  NOT_FOUND,
  type Refused,
  type RefusedEdit,
  type RefusedInput,
  refusedInput,
} from '../../platform/refused.ts';
import { publishExhausted, publishQuota } from '../../records/quotas/publish-quota.ts';
import {
  customerLanguage,
  findQuota,
  findSameQuota,
  insertQuota,
  type QuotaRow,
  updateQuotaRow,
} from '../../records/quotas/quota-store.ts';
import { type QuotaProduct, quotaProduct } from '../products/find-products.ts';
import type { NewQuota, QuotaEdit } from './quota.ts';
import { QUOTA_ACTIONS } from './quota-actions.ts';

export const auditQuota = auditOf('quota', auditedQuota);

export type QuotaResult = { ok: true; quota: QuotaRow } | Refused;

/** Gives a customer units that it has paid for; the sites where they are good know it at once. */
export async function createQuota(db: Db, actor: Actor, body: NewQuota): Promise<QuotaResult> {
  return await db.write(async (tx) => {
    const parties = await partiesOf(tx.q, body.customer, body.product);
    if ('ok' in parties) return parties;
    const { product, language } = parties;
    const given = quotaGiftMistakes(actor.caller, product.siteId);
    if (given.length > 0) return refusedInput(...given);
    const quota: QuotaRow = {
      id: newId(),
      customerId: body.customer,
      productId: body.product,
      name: body.name ?? product.name[language] ?? product.productCode,
      total: body.quantity,
      used: 0,
      config: body.config ?? product.config,
      createdAt: actor.at,
      modifiedAt: actor.at,
      deletedAt: null,
    };
    const same = await sameQuota(tx.q, quota);
    if (same) return same;
    await insertQuota(tx.q, quota);
    await publishQuota(tx, { quota, ...product });
    await auditQuota(tx, actor, 'quota.create', null, quota);
    return { ok: true, quota };
  });
}

/** Changes the given fields. The owner of the units and their use stay fixed once one is used. */
export async function updateQuota(
  db: Db,
  actor: Actor,
  id: string,
  { customer, product, quantity, name, config }: QuotaEdit,
): Promise<{ ok: true; quota: QuotaRow } | RefusedEdit> {
  return await db.write(async (tx) => {
    const found = await findQuota(tx.q, id, ownRows(actor.caller));
    if (found === null) return NOT_FOUND;
    const before = found.quota;
    if (isStale(actor, before)) return STALE;
    const merged = mergeSettings(ProductConfigSchema, before.config, config, 'config');
    if (!merged.ok) return merged;
    const edited: QuotaRow = {
      ...before,
      customerId: customer ?? before.customerId,
      productId: product ?? before.productId,
      total: quantity ?? before.total,
      name: name ?? before.name,
      config: merged.settings,
    };
    if (canonicalJson(edited) === canonicalJson(before)) return { ok: true, quota: before };
    const mistakes = editMistakes(before, edited);
    const moved = edited.customerId !== before.customerId || edited.productId !== before.productId;
    const parties = moved ? await partiesOf(tx.q, edited.customerId, edited.productId) : null;
    if (parties && 'mistakes' in parties) mistakes.push(...parties.mistakes);
    const to = parties && 'product' in parties ? parties.product.siteId : found.siteId;
    for (const siteId of new Set([found.siteId, to])) {
      mistakes.push(...quotaGiftMistakes(actor.caller, siteId));
    }
    if (mistakes.length > 0) return refusedInput(...mistakes);
    const same = await sameQuota(tx.q, edited);
    if (same) return same;
    const quota = { ...edited, modifiedAt: actor.at };
    const place = parties && 'product' in parties ? parties.product : found;
    await updateQuotaRow(tx.q, quota);
    await publishQuota(tx, { ...place, quota }, found);
    await publishExhausted(tx, before, { ...place, quota }, actor.at);
    await auditQuota(tx, actor, 'quota.update', before, quota);
    return { ok: true, quota };
  });
}

/**
 * "Sets the quota to 0" (specification, section 7): nothing of it is left. Its total becomes what is used, so that
 * visits keep the units which they have taken, and the sum of those stays `used`.
 */
export async function resetQuota(db: Db, actor: Actor, id: string): Promise<QuotaResult> {
  return await db.write(async (tx) => {
    const found = await findQuota(tx.q, id, ownRows(actor.caller));
    if (found === null) return NOT_FOUND;
    const notTheirs = QUOTA_ACTIONS.delete.refuse({ caller: actor.caller, siteId: found.siteId });
    if (notTheirs !== null) return refusedInput(notTheirs);
    const before = found.quota;
    const quota =
      before.total === before.used ? before : { ...before, total: before.used, modifiedAt: actor.at };
    if (quota !== before) {
      await updateQuotaRow(tx.q, quota);
      await publishQuota(tx, { ...found, quota });
      await publishExhausted(tx, before, { ...found, quota }, actor.at);
    }
    await auditQuota(tx, actor, 'quota.reset', before, quota);
    return { ok: true, quota };
  });
}

/** Takes a quota away. Visits keep the units that they have of it, and get no more. */
export async function deleteQuota(db: Db, actor: Actor, id: string): Promise<{ ok: true } | Refused> {
  return await db.write(async (tx) => {
    const found = await findQuota(tx.q, id, ownRows(actor.caller));
    if (found === null) return NOT_FOUND;
    const notTheirs = QUOTA_ACTIONS.delete.refuse({ caller: actor.caller, siteId: found.siteId });
    if (notTheirs !== null) return refusedInput(notTheirs);
    const quota = { ...found.quota, modifiedAt: actor.at, deletedAt: actor.at };
    await updateQuotaRow(tx.q, quota);
    await publishQuota(tx, { ...found, quota });
    await auditQuota(tx, actor, 'quota.delete', found.quota, null);
    return { ok: true };
  });
}

type Parties = { language: string; product: QuotaProduct };

async function partiesOf(q: Queries, customerId: string, productId: string): Promise<Parties | RefusedInput> {
  const language = await customerLanguage(q, customerId);
  const product = await quotaProduct(q, productId);
  if (language !== null && !('code' in product)) return { language, product };
  const mistakes: Mistake[] = [];
  if (language === null) mistakes.push(mistake('not-found', 'customer', { what: 'customer' }));
  if ('code' in product) mistakes.push(product);
  return refusedInput(...mistakes);
}

function editMistakes(before: QuotaRow, edited: QuotaRow): Mistake[] {
  const mistakes: Mistake[] = [];
  const { used } = before;
  if (edited.total < used) mistakes.push(mistake('units-used', 'quantity', { used }));
  if (used === 0) return mistakes;
  if (edited.customerId !== before.customerId) mistakes.push(mistake('quota-in-use', 'customer'));
  if (edited.productId !== before.productId) mistakes.push(mistake('quota-in-use', 'product'));
  return mistakes;
}

/** A second one of the same name is taken for a mistake: more units are a larger `quantity`. */
async function sameQuota(q: Queries, quota: QuotaRow): Promise<Refused | null> {
  const same = await findSameQuota(q, quota);
  if (same === null || same.id === quota.id) return null;
  const why = mistake('quota-taken', [], { name: quota.name });
  return { ok: false, reason: 'already-there', id: same.id, mistake: why };
}

function auditedQuota({ customerId, productId, name, total, used, config }: QuotaRow) {
  return { customerId, productId, name, total, used, free: total - used, config };
}
