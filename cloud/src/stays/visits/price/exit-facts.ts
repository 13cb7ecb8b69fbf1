import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Visit } from '@hlid/protocol/records/visit';
import { matchPermit } from '@hlid/protocol/records/whitelist';
import { type GatheredAtExit, plateAtExit, type SeenPlate } from '@hlid/protocol/rules/lane-facts';
import { quotaWithPlate } from '@hlid/protocol/rules/quota-standing';
import type { SoldProducts } from '../../../money/products/pricing-product.ts';
import type { Queries } from '../../../platform/db/db.ts';
import { billingMethodOf } from '../../../records/customers/customer-billing.ts';
import type { ChosenSite } from '../../../records/sites/choose-site.ts';
import type { FoundOpenVisit } from '../../../records/visits/open-visits.ts';
import { siteVisit } from '../../../records/visits/site-visit.ts';
import type { VisitRow } from '../../../records/visits/visit-table.ts';
import { permitsLike } from '../../../vehicles/whitelist/permits-like.ts';
import { holderOf, quotasOfHolder } from './quotas-of-holder.ts';
import { stayFacts } from './stay-facts.ts';

/** Reads the facts of a decision at an exit, once it is known which visit leaves. */
export async function gatherAtExit(
  q: Queries,
  site: ChosenSite,
  seen: Pick<SeenPlate, 'plate' | 'score' | 'country'>,
  found: FoundOpenVisit | 'ambiguous' | 'just-ended' | null,
  now: UtcTime,
  sold?: SoldProducts,
): Promise<GatheredAtExit> {
  const row = found === null || typeof found === 'string' ? null : found.visit;
  const leaving =
    found === null || typeof found === 'string' ? found : { ...found, visit: siteVisit(found.visit) };
  const plate = plateAtExit(seen, leaving);
  const holder = row && { customerId: row.customerId, category: row.vehicleCategory, siteId: site.id };
  return {
    seen,
    site,
    leaving,
    listed: plate === null ? [] : await permitsLike(q, plate, site.id, seen.country ?? null),
    quotas: holder === null ? [] : await quotasOfHolder(q, holder),
    stay: row && (await stayFacts(q, row, site, now, sold)),
    billing: row && (await billingMethodOf(q, row.customerId)),
  };
}

/** The quota of a visit after its plate was corrected. */
export async function quotaByPlate(
  q: Queries,
  site: ChosenSite,
  visit: Pick<VisitRow, 'id' | 'plate' | 'quota' | 'startedAt' | 'endedAt'>,
  plate: string | null,
  at: UtcTime,
): Promise<Visit['quota']> {
  if (plate === visit.plate) return visit.quota;
  if (plate === null) return quotaWithPlate(visit, [], false);
  const quotas = await quotasOfHolder(q, await holderOf(q, site, plate, visit.startedAt));
  const rules = { timeZone: site.timeZone, confusableScore: 1, visitId: visit.id };
  const permit = matchPermit({ plate, score: 1 }, await permitsLike(q, plate, site.id), at, rules);
  return quotaWithPlate(visit, quotas, permit?.foundBy === 'equal');
}
