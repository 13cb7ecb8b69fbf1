import type { Visit } from '../records/visit.ts';
import { releaseQuota } from './visit-transitions.ts';

/** The cover of a quota for a visit. */
export interface QuotaStanding {
  id: string;
  /** Free units, without those of the visit. */
  free: number;
}

/** The quota for a car that comes in: the customer's first with a free unit. */
export function quotaAtEntry(quotas: readonly QuotaStanding[]): QuotaStanding | null {
  return quotas.find(({ free }) => free > 0) ?? null;
}

/**
 * The quota for a visit that leaves. Allocated units stay allocated; only further units need an existing quota of the
 * customer.
 */
export function quotaOfVisit(taken: Visit['quota'], quotas: readonly QuotaStanding[]): QuotaStanding | null {
  if (taken === null || taken.units === 0) return quotaAtEntry(quotas);
  return { id: taken.id, free: quotas.find(({ id }) => id === taken.id)?.free ?? 0 };
}

/**
 * The quota that a visit uses after its plate has changed.
 *
 * @param quotas the quotas of the new plate's customer
 * @param hasPermit whether the new plate has a permit and needs no quota
 */
export function quotaWithPlate(
  { quota, endedAt }: Pick<Visit, 'quota' | 'endedAt'>,
  quotas: readonly QuotaStanding[],
  hasPermit: boolean,
): Visit['quota'] {
  const drawn = quota !== null && quota.units > 0;
  if (drawn && quotas.some(({ id }) => id === quota.id)) return quota;
  const other = endedAt === null && !hasPermit ? quotaAtEntry(quotas) : null;
  return other === null ? releaseQuota(quota) : { id: other.id, units: 1 };
}
