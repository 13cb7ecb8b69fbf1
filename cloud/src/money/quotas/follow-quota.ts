import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Tx } from '../../platform/db/db.ts';
import { publishExhausted, publishQuota } from '../../records/quotas/publish-quota.ts';
import { findAnyQuota, updateQuotaRow } from '../../records/quotas/quota-store.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { deleteQuotaVisit, putQuotaVisit, type QuotaVisitRow, quotasOfVisit } from './quota-visit-store.ts';

type FollowedVisit = Pick<VisitRow, 'id' | 'quota' | 'endedAt'>;

/**
 * Keeps a quota's books up with a visit: called in every transaction that stores one. Takes the units in
 * `visit.quota`, as far as the quota has them, and frees the visit's place in `currentVisits` when it has
 * ended. `visit.quota` has all that the visit uses, not what it uses more: applied again, it uses nothing.
 * What an earlier quota gave to the visit goes back there.
 *
 * @returns the units that the visit took and the quota did not have; a person must then review the visit
 */
export async function followQuota(tx: Tx, visit: FollowedVisit, at: UtcTime): Promise<number> {
  const held = await quotasOfVisit(tx.q, visit.id);
  for (const row of held) {
    if (row.quotaId !== visit.quota?.id) await takeUnits(tx, visit, { id: row.quotaId, units: 0 }, row, at);
  }
  if (visit.quota === null) return 0;
  const { id } = visit.quota;
  return await takeUnits(tx, visit, visit.quota, held.find(({ quotaId }) => quotaId === id) ?? null, at);
}

async function takeUnits(
  tx: Tx,
  visit: FollowedVisit,
  asked: { id: string; units: number },
  before: QuotaVisitRow | null,
  at: UtcTime,
): Promise<number> {
  const found = await findAnyQuota(tx.q, asked.id);
  if (found === null) return asked.units;
  const { quota } = found;
  const held = before?.units ?? 0;
  // A deleted quota gives nothing more; who has units of it keeps them.
  const free = quota.deletedAt === null ? quota.total - quota.used : 0;
  const units = Math.min(asked.units, held + free);
  const row = {
    quotaId: quota.id,
    visitId: visit.id,
    customerId: quota.customerId,
    units,
    open: visit.endedAt === null,
  };
  if (units > 0) await putQuotaVisit(tx.q, row);
  else if (before !== null) await deleteQuotaVisit(tx.q, before);
  if (units !== held) {
    const now = { ...found, quota: { ...quota, used: quota.used + units - held, modifiedAt: at } };
    await updateQuotaRow(tx.q, now.quota);
    if (quota.deletedAt === null) {
      await publishQuota(tx, now);
      await publishExhausted(tx, quota, now, at);
    }
  }
  return asked.units - units;
}
