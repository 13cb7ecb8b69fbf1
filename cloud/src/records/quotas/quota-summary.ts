import type { Queries } from '../../platform/db/db.ts';
import { findAnyQuota, openVisitIds, sitesOfFreeUnits, sumOfCustomer } from './quota-store.ts';

/** A customer's prepaid units, of all its quotas together. */
export interface QuotaSummary {
  total: number;
  free: number;
  used: number;
  /** Ids of the visits that stand in one of them now; the newest hundred at most. */
  currentVisits: string[];
}

/** The units that a customer has paid for in advance and not yet used. */
export async function quotaSummary(q: Queries, customerId: string): Promise<QuotaSummary> {
  const { total, used } = await sumOfCustomer(q, customerId);
  return { total, free: total - used, used, currentVisits: await openVisitIds(q, customerId) };
}

/** The customer who has a quota; null: there is none of that id. */
export async function customerOfQuota(q: Queries, id: string): Promise<string | null> {
  return (await findAnyQuota(q, id))?.quota.customerId ?? null;
}

/** The sites where a customer's prepaid units are good; null: every site. */
export async function sitesOfUnits(q: Queries, customerId: string): Promise<(string | null)[]> {
  return await sitesOfFreeUnits(q, customerId);
}
