import { newId } from '@hlid/node/new-id';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { cloudActor } from '../../people/audit/audit.ts';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { eq } from '../../platform/db/sql.ts';
import { publishExhausted, publishQuota } from '../../records/quotas/publish-quota.ts';
import {
  customerLanguage,
  type FoundQuota,
  findAnyQuota,
  findSameQuota,
  insertQuota,
  type QuotaRow,
  updateQuotaRow,
} from '../../records/quotas/quota-store.ts';
import { quotaPurchaseTable as t } from '../../records/quotas/quota-table.ts';
import { findProduct } from '../products/find-products.ts';
import { auditQuota } from './change-quotas.ts';

const PART = 'quota-purchases';

/** Units that an invoice has sold. */
export interface BoughtUnits {
  invoiceId: string;
  customerId: string;
  /** A product of type `quota`. */
  productId: string;
  units: number;
}

/** Gives units that are paid, once: to the customer's quota of that product, or to a new one. */
export async function giveBoughtUnits(
  tx: Tx,
  { invoiceId, customerId, productId, units }: BoughtUnits,
  at: UtcTime,
): Promise<void> {
  if ((await purchaseOf(tx.q, invoiceId)) !== null) return;
  const product = await findProduct(tx.q, productId);
  // Products of which anything was sold are never deleted from the table.
  if (product === null) throw new Error(`There is no product ${productId} any more.`);
  const language = (await customerLanguage(tx.q, customerId)) ?? 'is';
  const name = product.name[language] ?? product.productCode;
  const before = await findSameQuota(tx.q, { customerId, productId, name });
  const quota: QuotaRow =
    before === null
      ? {
          id: newId(),
          customerId,
          productId,
          name,
          total: units,
          used: 0,
          config: product.config,
          createdAt: at,
          modifiedAt: at,
          deletedAt: null,
        }
      : { ...before, total: before.total + units, modifiedAt: at };
  if (before === null) await insertQuota(tx.q, quota);
  else await updateQuotaRow(tx.q, quota);
  await tx.q.insert(t).values({ invoiceId, quotaId: quota.id, units, takenBack: 0, usedUnpaid: 0, at });
  await publishQuota(tx, { quota, vehicleCategory: product.vehicleCategory, siteId: product.siteId });
  await auditQuota(tx, cloudActor(PART, at), 'quota.buy', before, quota);
}

/**
 * Takes away as many units as their price went back for, or gives them again where the price came back. Units that are used
 * stay with the visits that took them, and are counted as used and not paid.
 *
 * @param share how much of the price has gone back
 */
export async function followPriceOfUnits(
  tx: Tx,
  invoiceId: string,
  share: { creditedMinor: number; amountMinor: number },
  at: UtcTime,
): Promise<void> {
  const purchase = await purchaseOf(tx.q, invoiceId);
  if (purchase === null || share.amountMinor <= 0) return;
  const { quotaId, units, takenBack } = purchase;
  const wanted = Math.floor((units * share.creditedMinor) / share.amountMinor);
  const found = await findAnyQuota(tx.q, quotaId);
  // No units can be taken from a deleted quota, and none of its units can be used any more.
  const change =
    found === null || found.quota.deletedAt !== null
      ? 0
      : await changeTotal(tx, found, takenBack - wanted, at);
  const taken = takenBack - change;
  const usedUnpaid = found?.quota.deletedAt === null ? Math.max(0, wanted - taken) : 0;
  await tx.q.update(t).set({ takenBack: taken, usedUnpaid }).where(eq(t.invoiceId, invoiceId));
}

/** @param by the requested change; below zero, at most what is free. @returns the change of the total */
async function changeTotal(tx: Tx, found: FoundQuota, by: number, at: UtcTime): Promise<number> {
  const { quota: before } = found;
  const change = Math.max(by, before.used - before.total);
  if (change === 0) return 0;
  const quota = { ...before, total: before.total + change, modifiedAt: at };
  await updateQuotaRow(tx.q, quota);
  await publishQuota(tx, { ...found, quota });
  await publishExhausted(tx, before, { ...found, quota }, at);
  await auditQuota(tx, cloudActor(PART, at), change < 0 ? 'quota.take-back' : 'quota.buy', before, quota);
  return change;
}

/** Units of a purchase that were used although their price went back. */
export async function usedUnpaidOf(q: Queries, invoiceId: string): Promise<number> {
  return (await purchaseOf(q, invoiceId))?.usedUnpaid ?? 0;
}

async function purchaseOf(q: Queries, invoiceId: string): Promise<typeof t.$inferSelect | null> {
  return (await q.select().from(t).where(eq(t.invoiceId, invoiceId)).get()) ?? null;
}
