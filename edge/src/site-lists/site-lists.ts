import type { CameraSettings } from '@hlid/protocol/lane';
import type { Product, VehicleCategory } from '@hlid/protocol/product';
import type { SiteItem, ZoneItem } from '@hlid/protocol/site-change';
import type { Permit } from '@hlid/protocol/whitelist';
import type { ListItemStore } from './list-item-store.ts';
import type { PermitStore } from './permit-store.ts';

/** What the site knows from the cloud, or from its own configuration as long as the cloud has said nothing. */
export interface SiteLists {
  site(): SiteItem;
  zone(id: string): ZoneItem | undefined;
  camera(id: string): CameraSettings;
  /** The product that prices visits of a category. */
  pricing(category: VehicleCategory): Product | undefined;
  permitsLike(plate: string): Permit[];
}

export function createSiteLists(
  items: ListItemStore,
  permits: PermitStore,
  configured: { site: SiteItem; cameras: readonly { id: string; settings: CameraSettings }[] },
): SiteLists {
  return {
    site: () => items.get('site', 'site') ?? configured.site,
    zone: (id) => items.get('zone', id),
    camera(id) {
      const fromCloud = items.all('camera').find((camera) => camera.remoteId === id);
      const own = configured.cameras.find((camera) => camera.id === id);
      if (fromCloud) return fromCloud.settings;
      return own?.settings ?? { status: 'active', minimumOcrScore: 0, filters: [] };
    },
    pricing: (category) =>
      items
        .all('product')
        .find((product) => product.type === 'default' && product.vehicleCategory === category),
    permitsLike: (plate) => permits.listedLike(plate),
  };
}
