import { HOUR_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { costOfStay } from '@hlid/protocol/rules/stay-price';
import type { Product } from '@hlid/protocol/tariff/product';
import { productVersion } from '../../money/products/find-products.ts';
import type { Queries } from '../../platform/db/db.ts';
import type { ScanDb } from '../../platform/db/scan-job.ts';
import type { DryRunSums, RunVisitRow } from '../../records/dry-runs/run-table.ts';
import { type ChosenSite, siteById } from '../../records/sites/choose-site.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { permitsLike } from '../../vehicles/whitelist/permits-like.ts';
import { factsUnder } from '../visits/price/stay-facts.ts';
import { countEnded, endedVisits } from './ended-visits.ts';

export interface DryRunQuestion {
  productId: string;
  draft: Product;
  siteId: string | null;
  /** Visits that ended from then on, and before `before`. */
  from: UtcTime;
  before: UtcTime;
  /** Whether all visits of the period have been counted already. */
  isCounted: boolean;
}

/** The difference of one visit. */
export type DryRunVisit = Omit<RunVisitRow, 'runId'>;

/** The sums of a part of the period. */
export interface DryRunPiece {
  /** The visits that ended before this moment are done. */
  doneUntil: UtcTime;
  /** Visits that were looked at. */
  done: number;
  /** All visits of the question; only in the first piece, where they were to be counted. */
  total: number | null;
  sums: DryRunSums;
  /** The largest differences in it. */
  visits: DryRunVisit[];
}

export const NO_SUMS: DryRunSums = { visits: 0, beforeMinor: 0, afterMinor: 0, more: 0, less: 0, same: 0 };

/** The most visits that are kept of those that would pay more, and of those that would pay less. */
export const MAX_KEPT = 500;

/**
 * Prices visits that a product priced again by a draft of it, by the rule of the gate, an hour of ends at a time:
 * between two hours it can be broken off. It writes nothing.
 */
export async function* scanDryRun(db: ScanDb, question: DryRunQuestion): AsyncGenerator<DryRunPiece> {
  const { siteId, before, isCounted } = question;
  let { from } = question;
  let total = isCounted ? null : await db.read((q) => countEnded(q, { siteId, from: question.from, before }));
  const pricer = new DraftPricer(question);
  while (from < before) {
    const end = utcTime(Math.min(millis(before), millis(from) + HOUR_MS));
    const hour = { siteId, from, before: end };
    const { done, priced } = await db.read(async (q) => {
      const visits = await endedVisits(q, hour);
      return { done: visits.length, priced: await pricer.priceAll(q, visits) };
    });
    // Hours of the night without a car are not worth a write.
    if (done > 0 || total !== null || end === before) {
      yield { doneUntil: end, done, total, sums: sumsOf(priced), visits: largest(priced) };
      total = null;
    }
    from = end;
  }
}

class DraftPricer {
  readonly #question: DryRunQuestion;
  readonly #sites = new Map<string, ChosenSite | null>();
  readonly #versions = new Map<number, Product | null>();

  constructor(question: DryRunQuestion) {
    this.#question = question;
  }

  async priceAll(q: Queries, visits: readonly VisitRow[]): Promise<DryRunVisit[]> {
    const priced: DryRunVisit[] = [];
    for (const visit of visits) {
      const one = await this.#price(q, visit);
      if (one !== null) priced.push(one);
    }
    return priced;
  }

  /** Null: another product priced the visit, or it has no price to compare with. */
  async #price(q: Queries, visit: VisitRow): Promise<DryRunVisit | null> {
    const { productId, draft } = this.#question;
    const { price, endedAt, plate } = visit;
    if (price?.product.id !== productId || price.currency !== draft.currency || endedAt === null) return null;
    const site = await this.#site(q, visit.siteId);
    const product = await this.#version(q, price.product.version);
    if (site === null || product === null) return null;
    const { timeZone, settings } = site;
    const permits = plate === null ? [] : await permitsLike(q, plate, site.id);
    const { products: _, ...known } = await factsUnder(q, visit, { atEntry: product, now: draft });
    const facts = { ...known, permits, timeZone };
    const cost = (by: Product) =>
      costOfStay(by, visit, endedAt, facts, settings.entryGraceMinutes).amountMinor;
    const beforeMinor = cost(product);
    // An exit or a person let it off what it would have cost, and would again.
    const isLetOff = beforeMinor > 0 && price.lines.some(({ rule }) => rule === 'waived');
    if (isLetOff) return { visitId: visit.id, beforeMinor: 0, afterMinor: 0, differenceMinor: 0 };
    const afterMinor = cost(draft);
    return { visitId: visit.id, beforeMinor, afterMinor, differenceMinor: afterMinor - beforeMinor };
  }

  async #site(q: Queries, id: string): Promise<ChosenSite | null> {
    const known = this.#sites.get(id);
    if (known !== undefined) return known;
    const site = await siteById(q, id);
    this.#sites.set(id, site);
    return site;
  }

  async #version(q: Queries, version: number): Promise<Product | null> {
    const known = this.#versions.get(version);
    if (known !== undefined) return known;
    const product = await productVersion(q, { id: this.#question.productId, version });
    this.#versions.set(version, product);
    return product;
  }
}

export function sumsOf(visits: readonly DryRunVisit[]): DryRunSums {
  const sums = { ...NO_SUMS };
  for (const { beforeMinor, afterMinor, differenceMinor } of visits) {
    sums.visits++;
    sums.beforeMinor += beforeMinor;
    sums.afterMinor += afterMinor;
    if (differenceMinor > 0) sums.more++;
    else if (differenceMinor < 0) sums.less++;
    else sums.same++;
  }
  return sums;
}

/** The largest differences up and down. */
function largest(visits: readonly DryRunVisit[]): DryRunVisit[] {
  const sorted = visits
    .filter(({ differenceMinor }) => differenceMinor !== 0)
    .toSorted((a, b) => b.differenceMinor - a.differenceMinor);
  if (sorted.length <= 2 * MAX_KEPT) return sorted;
  return [...sorted.slice(0, MAX_KEPT), ...sorted.slice(-MAX_KEPT)];
}
