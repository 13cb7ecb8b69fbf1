import { type Decision, decideExit, type ExitFacts } from '@hlid/protocol/decision';
import type { Period } from '@hlid/protocol/price-visit';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { matchPermit } from '@hlid/protocol/whitelist';
import type { OwnRows } from '../auth/caller.ts';
import { billingOf } from '../billing/customer-billing.ts';
import type { Queries } from '../db/db.ts';
import { quotaOfVisit } from '../lanes/lane-quota.ts';
import type { ChosenSite } from '../sites/choose-site.ts';
import { coveredTime } from '../whitelist/covered-time.ts';
import { permitsLike } from '../whitelist/permits-like.ts';
import { priceNow } from './price-now.ts';
import { siteOfVisit } from './site-of-visit.ts';
import { settingsFor } from './tariff-settings.ts';
import type { PriceTrace } from './visit-price.ts';
import { findVisit, findVisitRow } from './visit-store.ts';
import type { VisitRow } from './visit-view.ts';

/** How the price of a visit comes about, now or at its end; null where the caller has no such visit. */
export async function priceTrace(
  q: Queries,
  id: string,
  own: OwnRows,
  now: UtcTime,
): Promise<PriceTrace | null> {
  const visit = await findVisitRow(q, id, own);
  if (visit === null) return null;
  const site = await siteOfVisit(q, visit);
  const until = visit.endedAt ?? now;
  const covered = await coveredTime(q, stayOf(visit, until), site.timeZone);
  const price = await priceNow(q, visit, site, now);
  return {
    from: visit.startedAt,
    until,
    ended: visit.endedAt !== null,
    category: visit.vehicleCategory,
    covered: covered.toSorted((a, b) => (a.from < b.from ? -1 : 1)),
    unitsMet: { payments: visit.unitsMet, quota: visit.quota?.units ?? 0 },
    paid: visit.paidMinor,
    due: price && {
      amount: price.amountMinor,
      currency: price.currency,
      units: price.units,
      lines: price.lines.map(({ amountMinor, unitMinor, ...line }) => ({
        ...line,
        amount: amountMinor,
        ...(unitMinor !== undefined && { unitAmount: unitMinor }),
      })),
      product: price.product,
    },
    stored: (await findVisit(q, id, own))?.price ?? null,
    decision: visit.endedAt === null ? await decisionNow(q, visit, site, now) : null,
  };
}

function stayOf(
  { id, plate, siteId, startedAt }: VisitRow,
  until: UtcTime,
): Parameters<typeof coveredTime>[1] {
  const period: Period = { from: startedAt, to: until };
  return { ...period, visitId: id, plate, siteId };
}

/** What the exit would decide, were the car there now and its plate read well. */
async function decisionNow(
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
    billing: customerId === null ? null : ((await billingOf(q, customerId))?.method ?? null),
  };
  const { open, reason, settlement } = decideExit(facts);
  return { open, reason, settlement };
}
