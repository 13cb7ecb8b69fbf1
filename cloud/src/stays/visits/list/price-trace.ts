import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Decision } from '@hlid/protocol/records/decision';
import { coveredTime } from '@hlid/protocol/rules/stay-price';
import { costOf } from '@hlid/protocol/tariff/price-line';
import { waivePrice } from '@hlid/protocol/tariff/price-visit';
import type { Queries } from '../../../platform/db/db.ts';
import type { OwnRows } from '../../../platform/http/caller.ts';
import { siteOfVisit } from '../../../records/sites/site-of-visit.ts';
import type { VisitRow } from '../../../records/visits/visit-table.ts';
import { permitsLike } from '../../../vehicles/whitelist/permits-like.ts';
import { decideNow } from '../price/decide-now.ts';
import { findPricedVisit, owedNow } from './shown-price.ts';
import { viewLines } from './visit-json.ts';
import { findVisit } from './visit-list-store.ts';
import type { PriceTrace } from './visit-price.ts';
import type { VisitView } from './visit-view.ts';

/** How the price of a visit comes about, now or at its end; null where the caller has no such visit. */
export async function priceTrace(
  q: Queries,
  id: string,
  own: OwnRows,
  now: UtcTime,
): Promise<PriceTrace | null> {
  const found = await findPricedVisit(q, id, own, now);
  if (found === null) return null;
  const { row: visit, visit: view } = found;
  const site = await siteOfVisit(q, visit);
  const until = visit.endedAt ?? now;
  const permits = visit.plate === null ? [] : await permitsLike(q, visit.plate, site.id);
  const covered = coveredTime(visit, until, { permits, timeZone: site.timeZone });
  const stored = (await findVisit(q, id, own))?.price ?? null;
  const due = await dueNow(q, visit, view, now);
  return {
    from: visit.startedAt,
    until,
    ended: visit.endedAt !== null,
    category: visit.vehicleCategory,
    covered: covered.toSorted((a, b) => (a.from < b.from ? -1 : 1)),
    unitsMet: { payments: visit.unitsMet, quota: visit.quota?.units ?? 0 },
    paid: visit.paidMinor,
    price: due && { amount: priceAmount(due.lines), currency: due.currency },
    due,
    stored,
    decision: visit.endedAt === null ? shown((await decideNow(q, visit, site, now)).decision) : null,
  };
}

/** The due of a visit now; one that is over is priced as it was then: what was settled is settled. */
async function dueNow(
  q: Queries,
  visit: VisitRow,
  view: VisitView,
  now: UtcTime,
): Promise<PriceTrace['due']> {
  const price = await owedNow(q, visit, now);
  if (visit.endedAt !== null && view.price && view.due) {
    const { lines, product } = view.price;
    return { ...view.due, units: price?.units ?? 0, lines, product };
  }
  if (price === null) return null;
  const owed = visit.status === 'completed' ? waivePrice(price) : price;
  const { amountMinor: amount, currency, units, product } = owed;
  return { amount, currency, units, lines: viewLines(owed.lines), product };
}

function priceAmount(lines: NonNullable<PriceTrace['due']>['lines']): number {
  return costOf(lines.map(({ rule, amount: amountMinor }) => ({ rule, amountMinor })));
}

function shown({ open, reason, settlement }: Decision): NonNullable<PriceTrace['decision']> {
  return { open, reason, settlement };
}
