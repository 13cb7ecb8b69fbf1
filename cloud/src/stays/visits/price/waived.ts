import { DAY_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { priceToSettle } from '@hlid/protocol/rules/visit-settlement';
import type { GivenUp } from '../../../people/approvals/second-person.ts';
import type { Queries } from '../../../platform/db/db.ts';
import { and, desc, eq, inArray, isNotNull, ne, or, unindexed } from '../../../platform/db/sql.ts';
import type { ChosenSite } from '../../../records/sites/choose-site.ts';
import { siteVisit } from '../../../records/visits/site-visit.ts';
import { settlementTable as s, type VisitRow, visitTable as v } from '../../../records/visits/visit-table.ts';
import { priceNow } from './price-now.ts';

type Stay = Pick<VisitRow, 'id' | 'siteId' | 'plateFolded' | 'startedAt' | 'endedAt'>;

/** How long waivers of one car count together. */
const TOGETHER_MS = DAY_MS;
/** A stay that was split more often is not followed further. */
const MAX_PARTS = 20;
/** This number of visits of a plate is enough to be above any limit. */
const MAX_VISITS = 50;

/** The fields of a stay that change together with a waiver; absent: unchanged. */
interface Changed {
  plate?: string | undefined;
  startedAt?: UtcTime | undefined;
  endedAt?: UtcTime | null | undefined;
  /** A part alone is given up. */
  waivedMinor?: number | undefined;
}

/** The amount that is given up where a visit is voided, or counts as permitted from then on. */
export async function waiverOf(
  q: Queries,
  visit: VisitRow,
  site: ChosenSite,
  changed: Changed,
  now: UtcTime,
): Promise<GivenUp> {
  return {
    limit: 'waiver',
    amountMinor: changed.waivedMinor ?? (await waivedMinor(q, visit, site, changed, now)),
    currency: site.currency,
    beforeMinor: await waivedBefore(q, visit, now),
  };
}

/** The debt of the visit, as it is or as it is changed with the waiver, whichever is more. */
async function waivedMinor(
  q: Queries,
  visit: VisitRow,
  site: ChosenSite,
  { plate = visit.plate ?? undefined, startedAt = visit.startedAt, endedAt = visit.endedAt }: Changed,
  now: UtcTime,
): Promise<number> {
  const asIs = await priceNow(q, visit, site, now);
  const owed = priceToSettle(siteVisit(visit), () => asIs, now)?.amountMinor ?? 0;
  const edited = { ...visit, plate: plate ?? null, startedAt, endedAt };
  const isChanged =
    edited.plate !== visit.plate || startedAt !== visit.startedAt || endedAt !== visit.endedAt;
  if (!isChanged) return owed;
  return Math.max(owed, (await priceNow(q, edited, site, now))?.amountMinor ?? 0);
}

/**
 * The earlier waivers that count together with one of this stay: of the stay itself and of those parts into
 * which it was split, and of the same car at its site within a day. Whoever splits a stay, or waives it in
 * steps, stays under the limit of the whole.
 */
async function waivedBefore(q: Queries, visit: Stay, now: UtcTime): Promise<number> {
  const parts = await partsOf(q, visit);
  const since = utcTime(millis(now) - TOGETHER_MS);
  const sameCar = await visitsOfCar(q, visit);
  const ids = [...new Set([visit.id, ...parts, ...sameCar])];
  const found = await q
    .select({
      visitId: s.visitId,
      paymentStatus: s.paymentStatus,
      amountMinor: s.amountMinor,
      settledAt: s.settledAt,
      standing: v.paymentStatus,
    })
    .from(s)
    .innerJoin(v, eq(v.id, s.visitId))
    .where(and(inArray(s.visitId, ids), inArray(unindexed(s.paymentStatus), ['void', 'whitelisted'])));
  const isPart = new Set([visit.id, ...parts]);
  const counted = found.filter(({ visitId, settledAt }) => isPart.has(visitId) || settledAt >= since);
  const voids = new Map<string, number>();
  let sum = 0;
  for (const { visitId, paymentStatus, amountMinor, standing } of counted) {
    if (paymentStatus === 'whitelisted') sum += amountMinor;
    // A visit that was opened again owes what was voided.
    else if (standing === 'void' && visitId !== visit.id) {
      voids.set(visitId, Math.max(voids.get(visitId) ?? 0, amountMinor));
    }
  }
  for (const amountMinor of voids.values()) sum += amountMinor;
  const settled = new Set(found.map(({ visitId }) => visitId));
  const unsettled = ids.filter((id) => !settled.has(id));
  return sum + (await partsGivenUp(q, unsettled, (id, at) => isPart.has(id) || at >= since));
}

/** The parts that were given up of visits which still owe the rest, or whose rest was paid. */
async function partsGivenUp(
  q: Queries,
  ids: readonly string[],
  counts: (visitId: string, at: UtcTime) => boolean,
): Promise<number> {
  const rows = await q
    .select({ id: v.id, price: v.price, modifiedAt: v.modifiedAt })
    .from(v)
    .where(inArray(v.id, [...ids]));
  return rows
    .filter(({ id, modifiedAt }) => counts(id, modifiedAt))
    .flatMap(({ price }) => price?.lines ?? [])
    .reduce((sum, { rule, amountMinor }) => sum - (rule === 'waived' ? amountMinor : 0), 0);
}

/** The other parts of a stay that was split: each begins in the moment in which the one before ends. */
async function partsOf(q: Queries, { id, siteId, startedAt, endedAt }: Stay): Promise<string[]> {
  const parts = new Map<string, { startedAt: string; endedAt: string | null }>();
  const open = [{ startedAt, endedAt }];
  for (let stay = open.pop(); stay !== undefined && parts.size < MAX_PARTS; stay = open.pop()) {
    const beside = await q
      .select({ id: v.id, startedAt: v.startedAt, endedAt: v.endedAt })
      .from(v)
      .where(
        and(
          or(
            and(eq(v.endedAt, stay.startedAt), isNotNull(v.endedAt)),
            stay.endedAt === null ? undefined : eq(v.startedAt, stay.endedAt),
          ),
          eq(unindexed(v.siteId), siteId),
          ne(v.id, id),
        ),
      )
      .limit(MAX_PARTS);
    for (const part of beside) {
      if (parts.has(part.id)) continue;
      parts.set(part.id, part);
      open.push(part);
    }
  }
  return [...parts.keys()];
}

async function visitsOfCar(q: Queries, { siteId, plateFolded }: Stay): Promise<string[]> {
  if (plateFolded === null) return [];
  const found = await q
    .select({ id: v.id })
    .from(v)
    .where(and(eq(v.plateFolded, plateFolded), eq(unindexed(v.siteId), siteId)))
    .orderBy(desc(v.startedAt))
    .limit(MAX_VISITS);
  return found.map(({ id }) => id);
}
