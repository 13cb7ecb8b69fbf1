import { DAY_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { priceStay } from '@hlid/protocol/rules/stay-price';
import type { Price } from '@hlid/protocol/tariff/price-visit';
import type { Product } from '@hlid/protocol/tariff/product';
import { pricingProduct, pricingProductThen } from '../../money/products/pricing-product.ts';
import type { Queries } from '../../platform/db/db.ts';
import { and, desc, eq, gte, inArray, isNull, lte, unindexed } from '../../platform/db/sql.ts';
import { invoiceTable as i } from '../../records/invoices/invoice-table.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import { type VisitRow, visitTable as v } from '../../records/visits/visit-table.ts';
import { readsOfVisit } from '../../stays/timeline/visit-timeline.ts';
import { stayCost, viewLines } from '../../stays/visits/list/visit-json.ts';
import { factsUnder } from '../../stays/visits/price/stay-facts.ts';
import { permitsLike } from '../../vehicles/whitelist/permits-like.ts';
import type { DisputeEvidence } from './dispute-evidence.ts';
import { likelierPlate } from './likelier-plate.ts';

/** Payments of the car from so long before the stay are shown: a stay is often paid at the wrong site. */
const PAYMENTS_MS = 7 * DAY_MS;
const MAX_PAYMENTS = 20;
const MAX_READS = 20;

/**
 * What is known about a contested stay, as it was when it was contested: later corrections and tariffs change nothing of
 * it. The stay is priced again by the rules of the gate, under the tariff of then and under that of today.
 */
export async function draftEvidence(q: Queries, visit: VisitRow, now: UtcTime): Promise<DisputeEvidence> {
  const reads = await readsOf(q, visit);
  const until = visit.endedAt ?? now;
  return {
    draftedOn: now,
    stay: {
      plate: visit.plate,
      startedOn: visit.startedAt,
      endedOn: visit.endedAt,
      entryLaneId: visit.entryLaneId,
      exitLaneId: visit.exitLaneId,
      paymentStatus: visit.paymentStatus,
    },
    reads,
    likelierPlate: likelierPlate(visit.plate, reads),
    asked: askedPrice(visit),
    ...(await pricedAgain(q, visit, until, now)),
    payments: await paymentsOf(q, visit, now),
  };
}

async function readsOf(q: Queries, visit: VisitRow): Promise<DisputeEvidence['reads']> {
  const reads = await readsOfVisit(q, visit);
  const role = (id: string) => {
    if (id === visit.entryReadId) return 'entry' as const;
    return id === visit.exitReadId ? ('exit' as const) : ('other' as const);
  };
  return reads
    .toSorted((a, b) => (a.receivedAt < b.receivedAt ? -1 : 1))
    .slice(0, MAX_READS)
    .map(({ id, receivedAt, laneId, plate, plateRaw, score, candidates, url }) => ({
      photoId: id,
      on: receivedAt,
      laneId,
      role: role(id),
      plate,
      plateRaw,
      score,
      candidates,
      hasPicture: url !== null,
    }));
}

function askedPrice({ price }: VisitRow): DisputeEvidence['asked'] {
  if (price === null) return null;
  const { amountMinor, currency, lines, product } = price;
  return { amount: stayCost(lines, amountMinor), currency, lines: viewLines(lines), product };
}

type Again = Pick<DisputeEvidence, 'priced' | 'today'>;

/** The whole price of the stay, without what was paid of it. */
async function pricedAgain(q: Queries, visit: VisitRow, until: UtcTime, now: UtcTime): Promise<Again> {
  const site = await siteOfVisit(q, visit);
  const category = visit.vehicleCategory;
  const present = await pricingProduct(q, site, category, now);
  const atEntry = (await pricingProductThen(q, site, category, visit.startedAt)) ?? present;
  const atEnd = await pricingProductThen(q, site, category, until);
  const permits = visit.plate === null ? [] : await permitsLike(q, visit.plate, site.id);
  const unpaid = { ...visit, unitsMet: 0, paidMinor: 0 };
  const under = async (first: Product | null, last: Product | null) => {
    if (first === null) return null;
    const facts = await factsUnder(q, visit, { atEntry: first, now: last });
    const priced = priceStay(unpaid, until, { ...facts, permits, timeZone: site.timeZone });
    return priced && priceFrom(priced.price);
  };
  return { priced: await under(atEntry, atEnd), today: await under(present, null) };
}

function priceFrom({ amountMinor, currency, lines, product }: Price): NonNullable<Again['priced']> {
  return { amount: amountMinor, currency, lines: viewLines(lines), product };
}

/** Receipts of the car from shortly before the stay until now, at all sites. */
async function paymentsOf(
  q: Queries,
  { plateFolded, startedAt, id: visitId }: VisitRow,
  now: UtcTime,
): Promise<DisputeEvidence['payments']> {
  if (plateFolded === null) return [];
  const since = utcTime(millis(startedAt) - PAYMENTS_MS);
  const visits = await q
    .select({ id: v.id, siteId: v.siteId })
    .from(v)
    .where(and(eq(v.plateFolded, plateFolded), gte(v.startedAt, since), lte(v.startedAt, now)))
    .orderBy(desc(v.startedAt))
    .limit(MAX_PAYMENTS);
  const sites = new Map([...visits, { id: visitId, siteId: null }].map(({ id, siteId }) => [id, siteId]));
  const paid = await q
    .select({
      id: i.id,
      visitId: i.visitId,
      siteId: i.siteId,
      number: i.number,
      amountMinor: i.amountMinor,
      currency: i.currency,
      issuedAt: i.issuedAt,
      paidWith: i.paymentType,
    })
    .from(i)
    .where(and(inArray(i.visitId, [...sites.keys()]), isNull(i.creditOf), eq(unindexed(i.status), 'paid')))
    .limit(MAX_PAYMENTS);
  return paid.map(({ id, amountMinor, issuedAt, visitId: ofVisit, ...rest }) => ({
    invoiceId: id,
    ...rest,
    visitId: ofVisit,
    isThisVisit: ofVisit === visitId,
    amount: amountMinor,
    paidOn: issuedAt,
  }));
}
