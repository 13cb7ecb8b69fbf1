import { setImmediate as nextTurn } from 'node:timers/promises';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { costOf } from '@hlid/protocol/tariff/price-line';
import { type Price, waivePrice } from '@hlid/protocol/tariff/price-visit';
import { type SoldProducts, SoldProductsOfMany } from '../../../money/products/pricing-product.ts';
import type { Queries } from '../../../platform/db/db.ts';
import { type JsonText, parseJson } from '../../../platform/db/json-object.ts';
import { ALL_ROWS, type OwnRows } from '../../../platform/http/caller.ts';
import type { Fee } from '../../../records/invoices/fee.ts';
import type { ChosenSite } from '../../../records/sites/choose-site.ts';
import { siteOfVisit } from '../../../records/sites/site-of-visit.ts';
import { findVisitRow } from '../../../records/visits/find-visits.ts';
import type { VisitRow } from '../../../records/visits/visit-table.ts';
import { decideNow } from '../price/decide-now.ts';
import { lateFeeOf } from '../price/late-fee.ts';
import { priceNow } from '../price/price-now.ts';
import { type ShownVisit, viewLines } from './visit-json.ts';
import { findVisit } from './visit-list-store.ts';
import type { VisitView } from './visit-view.ts';

/** The amount due of a visit; null: it has no price. */
export interface Due {
  amountMinor: number | null;
  currency: string | null;
}

type PriceView = Pick<VisitView, 'price' | 'due'>;

/** Visits that are priced before other requests have a turn. */
const AT_ONCE = 10;

/** Prices the visits of a list: their sites, and what these sell, are read once. */
export class ListPricer {
  readonly #q: Queries;
  readonly #now: UtcTime;
  readonly #sold: SoldProducts;
  readonly #sites = new Map<string, ChosenSite>();
  #priced = 0;

  constructor(q: Queries, now: UtcTime) {
    this.#q = q;
    this.#now = now;
    this.#sold = new SoldProductsOfMany(q);
  }

  /** The present price of a visit. */
  async owed(visit: VisitRow): Promise<Price | null> {
    if (++this.#priced % AT_ONCE === 0) await nextTurn();
    const site = this.#sites.get(visit.siteId) ?? (await siteOfVisit(this.#q, visit));
    this.#sites.set(visit.siteId, site);
    return await owedAt(this.#q, visit, { site, now: this.#now, sold: this.#sold });
  }

  /**
   * The present debt of a visit: one rule for lists, counts, sums, groups and files. @param toPrice as of
   * visit-json.ts
   */
  async due(visit: VisitRow, toPrice: boolean): Promise<{ due: Due; price: Price | null | undefined }> {
    const price = toPrice ? await this.owed(visit) : undefined;
    if (price) return { due: { amountMinor: price.amountMinor, currency: price.currency }, price };
    const { status, amountMinor, currency } = visit;
    // No product prices it any more: the stored price applies.
    const stored = visit.price === null ? null : amountMinor;
    return { due: { amountMinor: status === 'completed' ? 0 : stored, currency }, price };
  }

  /** The same of a visit that is read first. */
  async dueOf(id: string): Promise<Due> {
    const visit = await findVisitRow(this.#q, id, ALL_ROWS);
    return visit === null ? { amountMinor: null, currency: null } : (await this.due(visit, true)).due;
  }

  /** A visit of a list, with its price of now. */
  async show({ id, shown }: Pick<ShownVisit, 'id' | 'shown'>): Promise<JsonText<VisitView>> {
    const row = await findVisitRow(this.#q, id, ALL_ROWS);
    return row === null ? shown : withPrice(shown, await this.owed(row), this.#now);
  }
}

/** Visits of a list, with a present price for those that go on or have no price of their end. */
export async function withPrices(
  q: Queries,
  visits: readonly ShownVisit[],
  now: UtcTime,
): Promise<JsonText<VisitView>[]> {
  const pricer = new ListPricer(q, now);
  const texts: JsonText<VisitView>[] = [];
  for (const visit of visits) texts.push(visit.toPrice ? await pricer.show(visit) : visit.shown);
  return texts;
}

/** A visit as it is shown, with another price. */
export function withPrice(
  shown: JsonText<VisitView>,
  price: Price | null,
  now: UtcTime,
): JsonText<VisitView> {
  const view: VisitView = { ...parseJson(shown), ...viewPrice(price, now) };
  return JSON.stringify(view) as JsonText<VisitView>;
}

/** A visit that the caller may see, as it is stored and as `withPrices` shows it. */
export async function findPricedVisit(
  q: Queries,
  id: string,
  own: OwnRows,
  now: UtcTime,
): Promise<{ row: VisitRow; visit: VisitView } | null> {
  const row = await findVisitRow(q, id, own);
  const visit = await findVisit(q, id, own);
  if (row === null || visit === null) return null;
  if (!isToPrice(visit)) return { row, visit };
  return { row, visit: { ...visit, ...viewPrice(await owedNow(q, row, now), now) } };
}

function isToPrice({ endedOn, price, status, noticeOn }: VisitView): boolean {
  return endedOn === null || (status !== 'completed' && (price === null || noticeOn !== null));
}

/** The price of a visit if it ends now, or by its end: amounts that the exit would not ask for are waived. */
export async function owedNow(q: Queries, visit: VisitRow, now: UtcTime): Promise<Price | null> {
  return await owedAt(q, visit, { site: await siteOfVisit(q, visit), now });
}

async function owedAt(
  q: Queries,
  visit: VisitRow,
  { site, now, sold }: { site: ChosenSite; now: UtcTime; sold?: SoldProducts },
): Promise<Price | null> {
  if (visit.endedAt !== null) {
    const price = await priceNow(q, visit, site, now, sold);
    if (visit.price === null) return price;
    const { amountMinor, currency, lines, product } = visit.price;
    const asked = { amountMinor: visit.amountMinor ?? amountMinor, currency, lines, product };
    const fee = await lateFeeOf(q, visit, site, now);
    return { ...(fee === null ? asked : withFee(asked, fee)), units: price?.units ?? 0 };
  }
  const { decision, price } = await decideNow(q, visit, site, now, sold);
  const { reason } = decision;
  const owes = reason === 'need-payment' || reason === 'company-invoice' || reason === 'owner-invoice';
  return price && !owes ? waivePrice(price) : price;
}

function withFee(price: Omit<Price, 'units'>, { rule, amountMinor }: Fee): Omit<Price, 'units'> {
  const line = { rule, units: 1, amountMinor };
  return { ...price, amountMinor: price.amountMinor + amountMinor, lines: [...price.lines, line] };
}

/** The price as views show it; if nothing prices the visit any more, what its site has asked for stands. */
function viewPrice(price: Price | null, now: UtcTime): Partial<PriceView> {
  if (price === null) return {};
  const { amountMinor, currency, product, lines } = price;
  return {
    price: { amount: costOf(lines), currency, lines: viewLines(lines), product, pricedOn: now },
    due: { amount: amountMinor, currency },
  };
}
