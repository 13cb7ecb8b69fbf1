import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { sellerKey } from '../../money/invoices/invoice-snapshot.ts';
import type { Queries } from '../../platform/db/db.ts';
import { siteTable } from '../../records/sites/site-table.ts';
import { type BillingPeriod, periodOfKey } from './billing-period.ts';

/** What billing knows of a site. */
interface BilledSite {
  timeZone: string;
  /** See `sellerKey`. */
  seller: string;
}

/** The sites and who sells at them: an invoice is of one seller, and a month is each site's own. */
export class BilledSites {
  readonly #sites: ReadonlyMap<string, BilledSite>;
  /** The time zones of each seller's sites. */
  readonly #zones = new Map<string, Set<string>>();

  private constructor(sites: ReadonlyMap<string, BilledSite>) {
    this.#sites = sites;
    for (const { seller, timeZone } of sites.values()) {
      this.#zones.set(seller, (this.#zones.get(seller) ?? new Set()).add(timeZone));
    }
  }

  static async read(q: Queries): Promise<BilledSites> {
    const { id, timeZone, settings } = siteTable;
    const rows = await q.select({ id, timeZone, settings }).from(siteTable);
    return new BilledSites(
      new Map(
        rows.map((row) => [row.id, { timeZone: row.timeZone, seller: sellerKey(row.settings.seller) }]),
      ),
    );
  }

  of(siteId: string): BilledSite {
    return this.#sites.get(siteId) ?? { timeZone: 'UTC', seller: '' };
  }

  /**
   * The period from its beginning at the first of a seller's sites to its end at the last: until then one may
   * add to it.
   */
  periodOf(seller: string, key: string): BillingPeriod {
    const zones = [...(this.#zones.get(seller) ?? ['UTC'])];
    const periods = zones.map((timeZone) => periodOfKey(key, timeZone));
    const from = periods.map((period) => period.from).reduce(earlier);
    const before = periods.map((period) => period.before).reduce((one, other) => (one > other ? one : other));
    return { key, from, before };
  }
}

const earlier = (one: UtcTime, other: UtcTime) => (one < other ? one : other);
