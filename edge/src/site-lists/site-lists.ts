import type { CameraSettings } from '@hlid/protocol/lane';
import { type Product, pricingProduct, type VehicleCategory } from '@hlid/protocol/product';
import type { QuotaItem, SiteItem, VehicleItem, ZoneItem } from '@hlid/protocol/site-change';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Permit } from '@hlid/protocol/whitelist';
import type { LiveLists } from './apply-change.ts';

/** What the site knows from the cloud, or from its own configuration as long as the cloud has said nothing. */
export interface SiteLists {
  site(): SiteItem;
  zone(id: string): ZoneItem | undefined;
  camera(id: string): CameraSettings;
  /** The product that prices visits of a category. */
  pricing(category: VehicleCategory): Product | undefined;
  permitsLike(plate: string): Permit[];
  /** What the cloud knows of exactly this plate. */
  vehicle(plate: string): VehicleItem | undefined;
  quota(id: string): QuotaItem | undefined;
  quotas(): readonly QuotaItem[];
}

export type Custody = VehicleItem['custody'][number];

/** Whose a vehicle is at that moment. */
export function custodyAt(vehicle: VehicleItem | undefined, at: UtcTime): Custody | undefined {
  return vehicle?.custody.find(({ from, until }) => from <= at && (until === null || at < until));
}

export function createSiteLists(
  { items, permits, vehicles }: LiveLists,
  configured: { site: SiteItem; cameras: readonly { id: string; settings: CameraSettings }[] },
): SiteLists {
  const site = () => items.get('site', 'site') ?? configured.site;

  return {
    site,
    zone: (id) => items.get('zone', id),
    camera(id) {
      const fromCloud = items.all('camera').find((camera) => camera.remoteId === id);
      const own = configured.cameras.find((camera) => camera.id === id);
      if (fromCloud) return fromCloud.settings;
      return own?.settings ?? { status: 'active', minimumOcrScore: 0, filters: [] };
    },
    pricing: (category) => pricingProduct(items.all('product'), category, site().currency),
    permitsLike: (plate) => permits.listedLike(plate),
    vehicle: (plate) => vehicles.get(plate),
    quota: (id) => items.get('quota', id),
    quotas: () => items.all('quota'),
  };
}
