import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../test-api.ts';
import { pricingProduct } from './pricing-product.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const product = (vehicleCategory: string, fields: object = {}) =>
  api.made('/products', { type: 'default', price: 500, vehicleCategory, productCode: 'P', ...fields });
const priced = async (siteId: string, category?: 'light' | 'heavy' | null) =>
  (await api.db.read((q) => pricingProduct(q, siteId, category)))?.id ?? null;

it('a vehicle is priced by the product of its category; heavy ones by the light one where they have none', async () => {
  expect(await priced(api.site.id, 'heavy')).toBeNull();
  const light = await product('light');
  expect(await priced(api.site.id, 'heavy')).toBe(light.id);
  const heavy = await product('heavy');
  expect(await priced(api.site.id, 'heavy')).toBe(heavy.id);
  expect(await priced(api.site.id, 'light')).toBe(light.id);
});

it('an unknown category counts as light, and light ones are never priced as heavy', async () => {
  await product('heavy');
  expect(await priced(api.site.id, 'light')).toBeNull();
  const light = await product('light');
  expect(await priced(api.site.id)).toBe(light.id);
  expect(await priced(api.site.id, null)).toBe(light.id);
});

it('a product of another site prices nothing here, nor one that is off sale or of another type', async () => {
  const other = await api.addSite('Airport');
  const there = await product('light', { siteId: other.id });
  await product('light', { siteId: api.site.id, type: 'quota' });
  const gone = await product('light', { siteId: api.site.id });
  await api.call('DELETE', `/products/${gone.id}`);
  expect(await priced(api.site.id, 'light')).toBeNull();
  expect(await priced(other.id, 'heavy')).toBe(there.id);
});
