import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Tx } from '../../platform/db/db.ts';
import { publishChange } from '../feed/publish-change.ts';
import { publishItem } from '../feed/publish-item.ts';
import { recordEvent } from '../integration-events/record-event.ts';
import type { FoundQuota, QuotaRow } from './quota-store.ts';

/** Sends a quota to the sites where it is valid. @param before where it was valid until now */
export async function publishQuota(
  tx: Tx,
  { quota, vehicleCategory, siteId }: FoundQuota,
  before: { siteId: string | null } | null = null,
): Promise<void> {
  const { id, customerId, total, used } = quota;
  if (quota.deletedAt !== null) {
    await publishChange(tx, siteId ?? 'all', { kind: 'quota', op: 'remove', id });
    return;
  }
  const item = { id, customerId, vehicleCategory, total, used };
  const sites = { ...(before && { before: before.siteId }), now: siteId };
  await publishItem(tx, sites, { kind: 'quota', op: 'put', id, item });
}

/** Notifies integrators when the last unit of a quota has just been used. */
export async function publishExhausted(
  tx: Tx,
  before: Pick<QuotaRow, 'total' | 'used'>,
  { quota, siteId }: FoundQuota,
  at: UtcTime,
): Promise<void> {
  if (before.used === before.total || quota.used < quota.total) return;
  await recordEvent(tx, { type: 'quota.exhausted', subjectId: quota.id, siteId, at });
}
