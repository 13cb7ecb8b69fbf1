import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { pricingProduct, SoldProductsOfMany, soldProducts } from './pricing-product.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const product = (vehicleCategory: string, fields: object = {}) =>
  api.made('/products', { type: 'default', price: 500, vehicleCategory, productCode: 'P', ...fields });
const timeZone = 'Atlantic/Reykjavik';
const priced = async (id: string, category: 'light' | 'heavy' | null = null, currency = 'ISK') =>
  (await api.db.read((q) => pricingProduct(q, { id, timeZone, currency, settings: {} }, category, api.now())))
    ?.id ?? null;

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

it('its own product prices a site, and the one of all sites those that have none', async () => {
  const airport = await api.addSite('Airport');
  const everywhere = await product('light', { price: 500 });
  const own = await product('light', { price: 300, siteId: airport.id });
  expect([await priced(api.site.id), await priced(airport.id)]).toEqual([everywhere.id, own.id]);
  // A price for heavy vehicles everywhere comes before the site's own for light ones.
  const heavy = await product('heavy');
  expect(await priced(airport.id, 'heavy')).toBe(heavy.id);
});

it('a site is priced in its own currency or not at all', async () => {
  await product('light', { currency: 'EUR' });
  expect([await priced(api.site.id), await priced(api.site.id, null, 'EUR')]).toEqual([
    null,
    expect.any(String),
  ]);
});

it('a product of type visit asks one price for a whole stay, before a default product', async () => {
  await product('light');
  const visit = await product('light', { type: 'visit', price: 900 });
  expect(await priced(api.site.id)).toBe(visit.id);
  const { id } = await api.visit({ startedAt: '2026-11-18T08:00:00.000Z' });
  expect((await api.call('GET', `/visit/${id}/price`)).body['due']).toMatchObject({
    amount: 900,
    lines: [{ rule: 'flat-rate', units: 1, amount: 900 }],
  });
});

it('for many visits the products of a site are the same at every moment, read once', async () => {
  const airport = await api.addSite('Airport');
  const moments = [api.now()];
  const pass = () => {
    api.wait(3_600_000);
    moments.push(api.now());
  };
  const { id } = await product('light', { price: 500 });
  pass();
  await api.call('PUT', `/products/${id}`, { body: { price: 600 } });
  await product('heavy', { siteId: airport.id });
  pass();
  await product('light', { price: 700, siteId: airport.id });
  await api.call('DELETE', `/products/${id}`);
  pass();
  await api.db.read(async (q) => {
    const [ofOne, ofMany] = [soldProducts(q), new SoldProductsOfMany(q)];
    for (const { id } of [api.site, airport]) {
      const site = { id, timeZone, settings: {} };
      expect(await ofMany.now(site, api.now())).toEqual(await ofOne.now(site, api.now()));
      const then = await Promise.all(moments.map((moment) => ofMany.at(site, moment)));
      expect(then).toEqual(await Promise.all(moments.map((moment) => ofOne.at(site, moment))));
      expect(new Set(then.map((products) => JSON.stringify(products))).size).toBeGreaterThan(2);
    }
  });
});

describe('a product that has priced something', () => {
  const refused = async (method: string, path: string, body?: object) => {
    const answer = await api.call(method, path, { body });
    return [answer.status, answer.body['messages']];
  };

  it('keeps its currency', async () => {
    const { id } = await product('light');
    expect((await api.call('PUT', `/products/${id}`, { body: { currency: 'EUR' } })).status).toBe(303);
    await api.call('PUT', `/products/${id}`, { body: { currency: 'ISK' } });
    await api.visit({ startedAt: api.now() });
    expect(await refused('PUT', `/products/${id}`, { currency: 'EUR' })).toEqual([
      400,
      [expect.stringContaining('currency: amounts in ISK have been priced by it')],
    ]);
    expect(await refused('PUT', `/sites/${api.site.id}`, { currency: 'EUR' })).toEqual([
      400,
      [expect.stringContaining('currency: its visits have been priced in ISK')],
    ]);
  });

  it('is not deleted, moved or made another before something takes its place', async () => {
    const airport = await api.addSite('Airport');
    await product('light');
    const heavy = await product('heavy', { price: 2000 });
    await api.visit({ startedAt: api.now() });
    const message = [expect.stringMatching(/^It prices heavy vehicles at .*: add the product/)];
    expect(await refused('DELETE', `/products/${heavy.id}`)).toEqual([400, message]);
    for (const edit of [
      { siteId: airport.id },
      { vehicleCategory: 'light', productCode: 'X' },
      { type: 'quota' },
    ]) {
      expect(await refused('PUT', `/products/${heavy.id}`, edit)).toEqual([400, message]);
    }
    await product('heavy', { price: 2500, siteId: api.site.id });
    await product('heavy', { price: 2500, siteId: airport.id });
    expect((await api.call('DELETE', `/products/${heavy.id}`)).status).toBe(204);
  });

  it('still prices who came in by it once it is gone', async () => {
    const { id } = await product('light');
    const visit = await api.visit({ startedAt: api.now() });
    api.wait(3_600_000);
    await product('light', { price: 700, siteId: api.site.id });
    expect((await api.call('DELETE', `/products/${id}`)).status).toBe(204);
    expect((await api.call('GET', `/visit/${visit.id}/price`)).body['due']).toMatchObject({ amount: 500 });
  });
});

it('a site’s own product is in its currency', async () => {
  const body = { type: 'default', price: 5, vehicleCategory: 'light', productCode: 'P', currency: 'EUR' };
  const answer = await api.call('POST', '/products', { body: { ...body, siteId: api.site.id } });
  expect([answer.status, answer.body['messages']]).toEqual([
    400,
    ['currency: the currency of its site is ISK'],
  ]);
});
