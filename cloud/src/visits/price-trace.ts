import type { Decision } from '@hlid/protocol/decision';
import { coveredTime } from '@hlid/protocol/stay-price';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { OwnRows } from '../auth/caller.ts';
import type { Queries } from '../db/db.ts';
import { permitsLike } from '../whitelist/permits-like.ts';
import { decideNow } from './decide-now.ts';
import { priceNow } from './price-now.ts';
import { siteOfVisit } from './site-of-visit.ts';
import type { PriceTrace } from './visit-price.ts';
import { findVisit, findVisitRow } from './visit-store.ts';

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
  const permits = visit.plate === null ? [] : await permitsLike(q, visit.plate, site.id);
  const covered = coveredTime(visit, until, { permits, timeZone: site.timeZone });
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
    decision: visit.endedAt === null ? shown((await decideNow(q, visit, site, now)).decision) : null,
  };
}

function shown({ open, reason, settlement }: Decision): NonNullable<PriceTrace['decision']> {
  return { open, reason, settlement };
}
