import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { type VehicleCategory, VehicleCategorySchema } from '@hlid/protocol/plate/vehicle-category';
import type { Product } from '@hlid/protocol/tariff/product';
import { productAt } from '@hlid/protocol/tariff/product-at';
import type { SiteDb } from '../db/site-db.ts';
import type { SiteLists } from '../site-lists/site-lists.ts';
import type { VisitStore } from './visit-store.ts';

/** A product as the list has it, with what is planned for it. */
interface Pricing {
  since: UtcTime;
  text: string;
  product: Product | null;
}

/**
 * The products that priced the visits of a category, and since when: a car that came in by one price is not
 * charged by a higher one.
 */
export class PriceHistory {
  readonly #lists: Pick<SiteLists, 'pricing' | 'site'>;
  readonly #visits: Pick<VisitStore, 'oldestStart'>;
  readonly #select;
  readonly #insert;
  readonly #forget;
  /** The newest first. */
  readonly #known = new Map<VehicleCategory, Pricing[]>();

  constructor(
    db: SiteDb,
    parts: { lists: Pick<SiteLists, 'pricing' | 'site'>; visits: Pick<VisitStore, 'oldestStart'> },
  ) {
    this.#lists = parts.lists;
    this.#visits = parts.visits;
    this.#select = db.prepare<[string], { since: UtcTime; body: string }>(
      'SELECT since, body FROM pricing WHERE category = ? ORDER BY since DESC',
    );
    this.#insert = db.prepare(
      'INSERT INTO pricing (category, since, body) VALUES (?, ?, ?) ON CONFLICT (category, since) DO UPDATE SET body = excluded.body',
    );
    this.#forget = db.prepare('DELETE FROM pricing WHERE category = ? AND since < ?');
  }

  /** Stores what prices visits now, within the running transaction; writes only what is new. */
  update(at: UtcTime): void {
    for (const category of VehicleCategorySchema.options) {
      const product = this.#lists.pricing(category) ?? null;
      const text = JSON.stringify(product);
      if (this.#pricingsOf(category)[0]?.text === text) continue;
      this.#forgetOld(category, at);
      this.#insert.run(category, at, text);
      this.#known.delete(category);
    }
  }

  /**
   * The product that priced a category then; undefined: it is unknown, or there was none. A planned version holds from
   * its day on, whether the program ran then or not.
   */
  at(category: VehicleCategory, at: UtcTime): Product | undefined {
    const product = this.#pricingsOf(category).find(({ since }) => since <= at)?.product;
    const { timeZone, settings } = this.#lists.site();
    return product ? productAt(product, at, timeZone, settings.vat) : undefined;
  }

  /** Forgets what is in memory: after a transaction that was undone. */
  refresh(): void {
    this.#known.clear();
  }

  #pricingsOf(category: VehicleCategory): Pricing[] {
    let pricings = this.#known.get(category);
    if (!pricings) {
      pricings = this.#select
        .all(category)
        .map(({ since, body }) => ({ since, text: body, product: JSON.parse(body) }));
      this.#known.set(category, pricings);
    }
    return pricings;
  }

  /** Forgets the prices by which no visit inside has come in. */
  #forgetOld(category: VehicleCategory, at: UtcTime): void {
    const oldest = this.#visits.oldestStart() ?? at;
    const inForce = this.#pricingsOf(category).find(({ since }) => since <= oldest);
    if (inForce) this.#forget.run(category, inForce.since);
  }
}
