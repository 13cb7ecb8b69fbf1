import { z } from 'zod';
import { IdViewSchema, listOf, NewSiteViewSchema } from './cloud-views.ts';
import type { LanePlan, SitePlan } from './edge-document.ts';
import type { Operator } from './operator.ts';

/** What a site is known by in the cloud. */
export interface SiteAccess {
  siteId: string;
  secret: string;
}

/** Makes a site in the cloud; its secret is shown this once. */
export async function createSite(operator: Operator, site: SitePlan): Promise<SiteAccess> {
  const { id: siteId, secret } = await operator.call(NewSiteViewSchema, 'POST', '/sites', site);
  return { siteId, secret };
}

/** Registers the cameras that the cloud does not know yet. */
export async function registerCameras(
  operator: Operator,
  siteId: string,
  lanes: readonly LanePlan[],
): Promise<void> {
  const known = await operator.call(CameraListSchema, 'GET', `/cameras?siteId=${siteId}`);
  const missing = lanes.filter((lane) => !known.data.some(({ remoteId }) => remoteId === lane.cameraId));
  for (const lane of missing) {
    await operator.call(IdViewSchema, 'POST', '/cameras', {
      name: lane.name,
      brand: lane.format === 'open-alpr' ? 'OpenALPR' : 'Survision',
      location: lane.direction === 'entry' ? 'entrance' : 'exit',
      remoteId: lane.cameraId,
      siteId,
      config: { minimumOcrScore: 0.7, filters: [] },
    });
  }
}

const PRODUCTS = [
  {
    productCode: 'DAY-LIGHT',
    vehicleCategory: 'light',
    price: 500,
    name: { is: 'Sólarhringur, fólksbíll', en: 'One day, light vehicle' },
  },
  {
    productCode: 'DAY-HEAVY',
    vehicleCategory: 'heavy',
    price: 1000,
    name: { is: 'Sólarhringur, stór bíll', en: 'One day, heavy vehicle' },
  },
];

/** The prices of visits, where the cloud has none yet: 500 kr. a day for a light vehicle, 1,000 for a heavy one. */
export async function addDefaultProducts(operator: Operator): Promise<void> {
  const known = await operator.call(ProductListSchema, 'GET', '/products');
  for (const product of PRODUCTS) {
    if (known.data.some(({ productCode }) => productCode === product.productCode)) continue;
    await operator.call(IdViewSchema, 'POST', '/products', { type: 'default', currency: 'ISK', ...product });
  }
}

/** A zone of the site, where it has none. */
export async function addZone(operator: Operator, siteId: string, name: string): Promise<void> {
  const known = await operator.call(ZoneListSchema, 'GET', '/zones');
  if (known.data.some((zone) => zone.siteId === siteId)) return;
  await operator.call(IdViewSchema, 'POST', '/zones', { name, siteId, settings: { capacity: 400 } });
}

/** Permits for plates that have none. */
export async function addPermits(operator: Operator, plates: readonly string[]): Promise<void> {
  const known = await operator.call(PermitListSchema, 'GET', '/visit/whitelist');
  for (const plate of plates) {
    if (!known.data.some((permit) => permit.plate === plate)) await operator.addPermit(plate);
  }
}

const CameraListSchema = listOf(z.looseObject({ remoteId: z.string() }));
const ProductListSchema = listOf(z.looseObject({ productCode: z.string() }));
const ZoneListSchema = listOf(z.looseObject({ siteId: z.string() }));
const PermitListSchema = listOf(z.looseObject({ plate: z.string() }));
