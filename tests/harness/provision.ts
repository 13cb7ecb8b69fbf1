import { CAMERA_FORMATS } from '@hlid/protocol/camera/camera-formats';
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

/** Registers the cameras that the cloud does not have yet. */
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
      brand: CAMERA_FORMATS[lane.format].maker,
      location: lane.direction === 'entry' ? 'entrance' : 'exit',
      remoteId: lane.cameraId,
      siteId,
      config: { minimumOcrScore: 0.7, filters: [] },
    });
  }
}

const PRODUCTS = [
  {
    vatRate: 24,
    productCode: 'DAY-LIGHT',
    vehicleCategory: 'light',
    price: 500,
    name: { is: 'Sólarhringur, fólksbíll', en: 'One day, light vehicle' },
  },
  {
    vatRate: 24,
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
export async function addPermits(
  operator: Operator,
  plates: readonly string[],
  more: object = {},
): Promise<void> {
  for (const plate of plates) {
    const known = await operator.call(PlateListSchema, 'GET', `/visit/whitelist?plate=${plate}`);
    if (!known.data.some((permit) => permit.plate === plate)) await operator.addPermit(plate, more);
  }
}

/** A customer by its name, made where there is none of that name. */
export async function addCustomer(
  operator: Operator,
  customer: { name: string; language: 'is' | 'en'; [more: string]: unknown },
): Promise<string> {
  const search = new URLSearchParams({ name: customer.name });
  const known = await operator.call(NameListSchema, 'GET', `/customers?${search}`);
  const same = known.data.find(({ name }) => name === customer.name);
  if (same) return same.id;
  const account = { role: 'customer', status: 'active', name: customer.name };
  const { id } = await operator.call(IdViewSchema, 'POST', '/customers', { account, customer });
  return id;
}

/** Adds a customer's account, for a person who logs in by electronic identity, unless there is one. */
export async function addIdentity(
  operator: Operator,
  customerId: string,
  { ssn, name }: { ssn: string; name: string },
): Promise<void> {
  const known = await operator.call(NameListSchema, 'GET', `/accounts?${new URLSearchParams({ ssn })}`);
  if (known.data.length > 0) return;
  const account = { role: 'customer', status: 'active', name, customerId };
  await operator.call(IdViewSchema, 'POST', '/accounts', { account, authentication: { ssn } });
}

/** Gives a customer custody of vehicles that it has not got yet. */
export async function giveVehicles(
  operator: Operator,
  customerId: string,
  plates: readonly string[],
): Promise<void> {
  for (const plate of plates) {
    const search = new URLSearchParams({ customer: customerId, plate });
    const known = await operator.call(CustodianListSchema, 'GET', `/custodians?${search}`);
    if (known.data.some(({ status }) => status === 'active')) continue;
    await operator.call(IdViewSchema, 'POST', '/custodians', { plate, customerId });
  }
}

/** Units that a customer has paid for in advance, where it has no quota. */
export async function addQuota(operator: Operator, customer: string, quantity: number): Promise<void> {
  const quotas = await operator.call(QuotaListSchema, 'GET', '/quotas');
  if (quotas.data.some(({ customerId }) => customerId === customer)) return;
  const products = await operator.call(ProductListSchema, 'GET', '/products');
  const { id: product } =
    products.data.find(({ productCode }) => productCode === QUOTA_PRODUCT.productCode) ??
    (await operator.call(IdViewSchema, 'POST', '/products', QUOTA_PRODUCT));
  await operator.call(IdViewSchema, 'POST', '/quotas', { customer, product, quantity });
}

const QUOTA_PRODUCT = {
  type: 'quota',
  vatRate: 24,
  productCode: 'PREPAID-LIGHT',
  vehicleCategory: 'light',
  price: 400,
  currency: 'ISK',
  name: { is: 'Fyrirframgreiddir sólarhringar', en: 'Prepaid days' },
};

const CameraListSchema = listOf(z.looseObject({ remoteId: z.string() }));
const ProductListSchema = listOf(z.looseObject({ id: z.string(), productCode: z.string() }));
const ZoneListSchema = listOf(z.looseObject({ siteId: z.string() }));
const PlateListSchema = listOf(z.looseObject({ plate: z.string() }));
const NameListSchema = listOf(z.looseObject({ id: z.string(), name: z.string().nullable() }));
const CustodianListSchema = listOf(z.looseObject({ status: z.enum(['active', 'archived']) }));
const QuotaListSchema = listOf(z.looseObject({ customerId: z.string() }));
