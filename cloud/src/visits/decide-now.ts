import { type Decision, decideExit, type ExitFacts } from '@hlid/protocol/decision';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { matchPermit } from '@hlid/protocol/whitelist';
import { billingMethodOf } from '../billing/customer-billing.ts';
import type { Queries } from '../db/db.ts';
import { quotaOfVisit } from '../lanes/lane-quota.ts';
import type { ChosenSite } from '../sites/choose-site.ts';
import { permitsLike } from '../whitelist/permits-like.ts';
import { priceNow } from './price-now.ts';
import { settingsFor } from './tariff-settings.ts';
import type { VisitRow } from './visit-view.ts';

/** What the exit would decide, were the car there now and its plate read well. */
export async function decideNow(
  q: Queries,
  visit: VisitRow,
  site: ChosenSite,
  at: UtcTime,
): Promise<Pick<Decision, 'open' | 'reason' | 'settlement'>> {
  const { id, plate, siteId, startedAt, paidUntil, customerId, vehicleCategory: category } = visit;
  const listed = plate === null ? [] : await permitsLike(q, plate, siteId);
  const quota = await quotaOfVisit(q, { customerId, category, siteId }, visit.quota);
  const rules = { timeZone: site.timeZone, confusableScore: site.settings.confusableScore, visitId: id };
  const price = await priceNow(q, { ...visit, quota: null }, site, at);
  const facts: ExitFacts = {
    at,
    settings: await settingsFor(q, site, price),
    visit: {
      ...{ id, foundBy: 'equal', startedAt, paidUntil },
      unitsMet: visit.unitsMet,
      paidMinor: visit.paidMinor,
      quotaUnits: visit.quota?.units ?? 0,
    },
    permit: plate === null ? null : matchPermit({ plate, score: 1 }, listed, at, rules),
    quotaUnitsFree: quota?.unitsFree ?? 0,
    price,
    billing: await billingMethodOf(q, customerId),
  };
  const { open, reason, settlement } = decideExit(facts);
  return { open, reason, settlement };
}
