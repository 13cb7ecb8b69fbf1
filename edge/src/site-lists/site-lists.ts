import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { CameraSettings } from '@hlid/protocol/records/lane';
import type { Permit } from '@hlid/protocol/records/whitelist';
import { withWorkingWays } from '@hlid/protocol/rules/ways-to-pay';
import type {
  OnlinePaymentItem,
  QuotaItem,
  SiteItem,
  VehicleItem,
  ZoneItem,
} from '@hlid/protocol/site-link/site-change';
import { type Product, pricingProduct, type VehicleCategory } from '@hlid/protocol/tariff/product';
import { productAt } from '@hlid/protocol/tariff/product-at';
import type { LiveLists } from './apply-change.ts';

interface Configured {
  site: SiteItem;
  cameras: readonly { id: string; settings: CameraSettings }[];
}

/** The lists from the cloud, or the site's own configuration until the cloud has sent some. */
export class SiteLists {
  readonly #lists: LiveLists;
  readonly #configured: Configured;

  constructor(lists: LiveLists, configured: Configured) {
    this.#lists = lists;
    this.#configured = configured;
  }

  /** The site; without its payment page while that takes no cards. */
  site(): SiteItem {
    const fromCloud = this.#lists.items.get('site', 'site');
    return fromCloud ? withWorkingWays(fromCloud) : this.#configured.site;
  }

  zone(id: string): ZoneItem | undefined {
    return this.#lists.items.get('zone', id);
  }

  zones(): readonly ZoneItem[] {
    return this.#lists.items.all('zone');
  }

  camera(id: string): CameraSettings {
    const fromCloud = this.#lists.items.all('camera').find((camera) => camera.remoteId === id);
    const own = this.#configured.cameras.find((camera) => camera.id === id);
    if (fromCloud) return fromCloud.settings;
    return own?.settings ?? { status: 'active', minimumOcrScore: 0, filters: [] };
  }

  /** The products as they are sold at a moment. */
  products(at: UtcTime): readonly Product[] {
    const { timeZone, settings } = this.site();
    return this.#lists.items.all('product').map((product) => productAt(product, at, timeZone, settings.vat));
  }

  /** The product that prices visits of a category, with the versions that are planned for it. */
  pricing(category: VehicleCategory): Product | undefined {
    return pricingProduct(this.#lists.items.all('product'), category, this.site().currency);
  }

  /** Every permit for this plate or one like it, whatever its state. @param country as the camera reports it */
  permitsLike(plate: string, country: string | null = null): Permit[] {
    return this.#lists.permits.listedLike(plate, country);
  }

  /** The cloud's record of exactly this plate. */
  vehicle(plate: string): VehicleItem | undefined {
    return this.#lists.vehicles.get(plate);
  }

  quota(id: string): QuotaItem | undefined {
    return this.#lists.items.get('quota', id);
  }

  /** Online payments with money that may be moving, or with an unknown outcome. */
  onlinePayments(): readonly OnlinePaymentItem[] {
    return this.#lists.items.all('online-payment');
  }

  quotas(): readonly QuotaItem[] {
    return this.#lists.items.all('quota');
  }
}

export type Custody = VehicleItem['custody'][number];

/** The customer who has the vehicle at that moment. */
export function custodyAt(vehicle: VehicleItem | undefined, at: UtcTime): Custody | undefined {
  return vehicle?.custody.find(({ from, until }) => from <= at && (until === null || at < until));
}
