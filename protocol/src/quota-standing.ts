import type { Visit } from './visit.ts';
import { releaseQuota } from './visit-transitions.ts';

/** What a quota has for a visit. */
export interface QuotaStanding {
  id: string;
  /** Beyond what the visit has taken. */
  free: number;
}

/** The quota for a car that comes in: the first of its customer's that has a unit. */
export function quotaAtEntry(quotas: readonly QuotaStanding[]): QuotaStanding | null {
  return quotas.find(({ free }) => free > 0) ?? null;
}

/**
 * The quota for a visit that leaves. Taken is taken: only more of it needs a quota that is there, and a customer whose
 * it is.
 */
export function quotaOfVisit(taken: Visit['quota'], quotas: readonly QuotaStanding[]): QuotaStanding | null {
  if (taken === null || taken.units === 0) return quotaAtEntry(quotas);
  return { id: taken.id, free: quotas.find(({ id }) => id === taken.id)?.free ?? 0 };
}

/**
 * What a visit draws on once it is known by another plate.
 *
 * @param quotas of the other plate's customer
 * @param hasPermit whether the other plate needs none
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
