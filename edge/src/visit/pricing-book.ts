import type { Product } from '@hlid/protocol/product';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { type VehicleCategory, VehicleCategorySchema } from '@hlid/protocol/vehicle-category';
import type { SiteDb } from '../db/site-db.ts';
import type { SiteLists } from '../site-lists/site-lists.ts';

/**
 * Which product priced the visits of a category since when: who came in by one price is not charged by a dearer one.
 */
export interface PricingBook {
  /** Notes what prices visits now, within the running transaction; writes only what is new. */
  note(at: UtcTime): void;
  /** What priced a category then; undefined: nobody knows, or nothing did. */
  at(category: VehicleCategory, at: UtcTime): Product | undefined;
  /** Forgets what is in memory: after a transaction that was undone. */
  refresh(): void;
}

interface Pricing {
  since: UtcTime;
  text: string;
  product: Product | null;
}

export function createPricingBook(
  db: SiteDb,
  lists: Pick<SiteLists, 'pricing'>,
  /** When the oldest of the visits inside began; null: there are none. */
  oldestStay: () => UtcTime | null,
): PricingBook {
  const select = db.prepare<[string], { since: UtcTime; body: string }>(
    'SELECT since, body FROM pricing WHERE category = ? ORDER BY since DESC',
  );
  const insert = db.prepare(
    'INSERT INTO pricing VALUES (?, ?, ?) ON CONFLICT (category, since) DO UPDATE SET body = excluded.body',
  );
  const forget = db.prepare('DELETE FROM pricing WHERE category = ? AND since < ?');
  /** The newest first. */
  const known = new Map<VehicleCategory, Pricing[]>();

  function pricingsOf(category: VehicleCategory): Pricing[] {
    let pricings = known.get(category);
    if (!pricings) {
      pricings = select
        .all(category)
        .map(({ since, body }) => ({ since, text: body, product: JSON.parse(body) }));
      known.set(category, pricings);
    }
    return pricings;
  }

  /** What no visit inside has come in by. */
  function forgetOld(category: VehicleCategory, at: UtcTime): void {
    const oldest = oldestStay() ?? at;
    const inForce = pricingsOf(category).find(({ since }) => since <= oldest);
    if (inForce) forget.run(category, inForce.since);
  }

  return {
    note(at) {
      for (const category of VehicleCategorySchema.options) {
        const product = lists.pricing(category) ?? null;
        const text = JSON.stringify(product);
        if (pricingsOf(category)[0]?.text === text) continue;
        forgetOld(category, at);
        insert.run(category, at, text);
        known.delete(category);
      }
    },
    at: (category, at) => pricingsOf(category).find(({ since }) => since <= at)?.product ?? undefined,
    refresh: () => known.clear(),
  };
}
