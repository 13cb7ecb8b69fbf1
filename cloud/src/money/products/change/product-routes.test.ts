import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { API_KEY, createTestApi, type TestApi } from '../../../../test/api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const LIGHT = { type: 'default', price: 500, vatRate: 24, vehicleCategory: 'light', productCode: 'L' };

describe('a new product', () => {
  it('is answered with 303 to it, and is there, and its sites have it', async () => {
    const answer = await api.call('POST', '/products', { body: LIGHT });
    expect(answer.status).toBe(303);
    expect(answer.location).toBe(`/products/${answer.body['id']}`);
    expect(answer.body).toEqual({
      id: expect.any(String),
      ...LIGHT,
      warnings: [],
      hash: expect.stringMatching(/^[0-9a-f]{16}$/),
      currency: 'ISK',
      vatCategory: 'S',
      vatReason: null,
      category: null,
      name: {},
      config: { startTime: '00:00', endTime: '23:59' },
      siteId: null,
      version: 1,
      createdOn: api.now(),
      modifiedOn: api.now(),
      planned: [],
      actions: ['edit', 'delete'],
    });
    expect((await api.call('GET', answer.location ?? '')).body).toEqual(answer.body);
    const { id } = answer.body;
    expect(await api.lastChange()).toEqual({
      kind: 'product',
      op: 'put',
      id,
      item: {
        id,
        type: 'default',
        priceMinor: 500,
        currency: 'ISK',
        vatRate: 24,
        vehicleCategory: 'light',
        category: null,
        name: {},
        productCode: 'L',
        config: { startTime: '00:00', endTime: '23:59' },
        version: 1,
      },
    });
  });

  it('of one site is sent to that site only', async () => {
    const other = await api.addSite('Airport');
    const before = await api.changes();
    await api.made('/products', { ...LIGHT, siteId: other.id });
    expect(await api.changes()).toEqual(before);
    expect((await api.lastChange(other))?.kind).toBe('product');
  });

  it('is listed newest first, for callers that may ask for prices', async () => {
    await api.made('/products', LIGHT);
    api.wait(1000);
    await api.made('/products', { ...LIGHT, vehicleCategory: 'heavy', price: 1000 });
    const list = await api.call('GET', '/products', { token: null, headers: { 'x-api-key': API_KEY } });
    expect(list.body).toMatchObject({ next: null, previous: null, total: 2 });
    expect(list.body['data']).toMatchObject([{ price: 1000 }, { price: 500 }]);
  });

  it('that prices what another prices already is refused with 422 and its id', async () => {
    const { id } = await api.made('/products', LIGHT);
    const again = await api.call('POST', '/products', { body: { ...LIGHT, price: 600 } });
    expect(again.status).toBe(422);
    expect(again.body).toEqual({
      exception: { message: 'Already created' },
      messages: ['There is a default product for light vehicles already.'],
      codes: [{ code: 'product-taken', path: [], params: { type: 'default', vehicleCategory: 'light' } }],
      id,
    });
    expect((await api.call('POST', '/products', { body: { ...LIGHT, type: 'quota' } })).status).toBe(303);
  });

  it.each([
    ['nothing', {}, ['type:', 'price: is required', 'vehicleCategory:', 'productCode: is required']],
    ['a fraction', { ...LIGHT, price: 499.5 }, ['price:']],
    ['less than nothing', { ...LIGHT, price: -1 }, ['price:']],
    ['a long currency', { ...LIGHT, currency: 'KRONA' }, ['currency:']],
    ['a tax of more than all', { ...LIGHT, vatRate: 101 }, ['vatRate:']],
    ['a tax of three decimals', { ...LIGHT, vatRate: 25.555 }, ['vatRate:']],
    [
      'a config that nobody knows',
      { ...LIGHT, config: { startTme: '08:00' } },
      ['config: there is no field “startTme”'],
    ],
    ['a wrong time', { ...LIGHT, config: { startTime: '25:00' } }, ['config.startTime:']],
    ['a window that is no object', { ...LIGHT, config: [] }, ['config:']],
    ['an unknown site', { ...LIGHT, siteId: 'nowhere' }, ['siteId: there is no such site']],
    ['a key too many', { ...LIGHT, colour: 'red' }, ['There is no field “colour”.']],
  ])('of %s is refused', async (_what, body, places) => {
    const before = await api.changes();
    const { status, body: refused } = await api.call('POST', '/products', { body });
    expect(status).toBe(400);
    expect(refused['exception']).toEqual({ message: 'Input error' });
    expect(refused['messages']).toEqual(places.map((place) => expect.stringContaining(place)));
    expect(await api.changes()).toEqual(before);
  });
});

describe('a changed product', () => {
  it('has a new version; the audit log has before and after', async () => {
    const { id } = await api.made('/products', LIGHT);
    const answer = await api.call('PUT', `/products/${id}`, { body: { price: 600, name: { is: 'Stæði' } } });
    expect(answer.status).toBe(303);
    expect(answer.body).toMatchObject({ price: 600, version: 2, name: { is: 'Stæði' }, productCode: 'L' });
    expect(await api.lastChange()).toMatchObject({ item: { priceMinor: 600, version: 2 } });
    const entry = (await api.audited()).find(({ action }) => action === 'product.update');
    expect(entry).toMatchObject({
      by: 'account:the-operator',
      subject: 'product',
      subjectId: id,
      before: { price: 500, version: 1 },
      after: { price: 600, version: 2 },
    });
  });

  it('may have another tax, in parts of a percent', async () => {
    const { id } = await api.made('/products', { ...LIGHT, vatRate: 11 });
    const answer = await api.call('PUT', `/products/${id}`, { body: { vatRate: 25.5 } });
    expect(answer.body).toMatchObject({ vatRate: 25.5, version: 2 });
    expect(await api.lastChange()).toMatchObject({ item: { vatRate: 25.5 } });
  });

  it('that is as it was has neither version nor change nor audit', async () => {
    const { id } = await api.made('/products', LIGHT);
    const [changes, audited] = [await api.changes(), await api.audited()];
    const answer = await api.call('PUT', `/products/${id}`, { body: { price: 500 } });
    expect(answer.body['version']).toBe(1);
    expect(await api.changes()).toEqual(changes);
    expect(await api.audited()).toEqual(audited);
  });

  it('that moves to one site is taken from the others', async () => {
    const other = await api.addSite('Airport');
    const { id } = await api.made('/products', LIGHT);
    await api.call('PUT', `/products/${id}`, { body: { siteId: other.id } });
    expect(await api.lastChange()).toEqual({ kind: 'product', op: 'remove', id });
    expect(await api.lastChange(other)).toMatchObject({ kind: 'product', op: 'put', id });
  });

  it('that is deleted is gone from list and sites', async () => {
    const { id } = await api.made('/products', LIGHT);
    expect((await api.call('DELETE', `/products/${id}`)).status).toBe(204);
    expect(await api.lastChange()).toEqual({ kind: 'product', op: 'remove', id });
    expect((await api.call('GET', '/products')).body['total']).toBe(0);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { body: {} } : {};
      const answer = await api.call(method, `/products/${id}`, body);
      expect([method, answer.status]).toEqual([method, 404]);
      expect(answer.body['messages']).toEqual(['There is no such product.']);
    }
  });
});

it('a price is small enough for all that is computed of it to be exact', async () => {
  const body = { type: 'default', vehicleCategory: 'light', productCode: 'day' };
  const largest = 1_000_000_000;
  const refused = await api.call('POST', '/products', { body: { ...body, price: largest + 1 } });
  expect([refused.status, refused.body['messages']]).toEqual([400, [expect.stringMatching(/^price: /)]]);
  await api.made('/products', { ...body, price: largest });
  const { id } = await api.visit({ startedAt: '1976-11-21T08:00:00.000Z' });
  const { body: trace } = await api.call('GET', `/visit/${id}/price`);
  const { due } = z.looseObject({ due: z.looseObject({ amount: z.int(), units: z.int() }) }).parse(trace);
  expect(BigInt(due.amount)).toBe(BigInt(due.units) * BigInt(largest));
});

describe('the VAT of a product', () => {
  const { vatRate: _, ...UNDECIDED } = LIGHT;
  const EXEMPT = { vatCategory: 'E', vatReason: 'parking-rental' };
  const vatOf = ({ vatRate, vatCategory, vatReason }: Record<string, unknown>) => [
    vatRate,
    vatCategory,
    vatReason,
  ];

  it('is not decided until somebody does, and a rate above 0 is the standard rate', async () => {
    const open = await api.call('POST', '/products', { body: UNDECIDED });
    expect(vatOf(open.body)).toEqual([0, null, null]);
    const path = `/products/${open.body['id']}`;
    const change = async (body: object) => vatOf((await api.call('PUT', path, { body })).body);
    expect(await change({ vatRate: 24 })).toEqual([24, 'S', null]);
    expect(await change(EXEMPT)).toEqual([0, 'E', 'parking-rental']);
    expect(await api.lastChange()).toMatchObject({ item: { vatRate: 0, ...EXEMPT } });
    expect(await change({ price: 600 })).toEqual([0, 'E', 'parking-rental']);
    expect(await change({ vatRate: 11 })).toEqual([11, 'S', null]);
    expect(await change({ vatCategory: 'Z' })).toEqual([0, 'Z', null]);
    expect(await change({ vatCategory: null })).toEqual([0, null, null]);
  });

  it.each([
    ['the standard rate of nothing', { vatCategory: 'S', vatRate: 0 }, ['vatRate:']],
    ['a rate of what is exempt', { ...EXEMPT, vatRate: 24 }, ['vatRate:']],
    ['an exemption without a reason', { vatCategory: 'E' }, ['vatReason:']],
    ['what is outside the scope without a reason', { vatCategory: 'O' }, ['vatReason:']],
    ['a zero rate with a reason', { vatCategory: 'Z', vatReason: 'why' }, ['vatReason:']],
    ['a reason alone', { vatReason: 'why' }, ['vatCategory:']],
  ])('refuses %s', async (_name, vat, fields) => {
    const { status, body } = await api.call('POST', '/products', { body: { ...UNDECIDED, ...vat } });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(fields[0]);
  });

  it('of a planned version is its own', async () => {
    const { id } = await api.made('/products', LIGHT);
    const path = `/products/${id}`;
    expect((await api.call('PUT', path, { body: { ...EXEMPT, validFrom: '2027-01-01' } })).status).toBe(303);
    expect(vatOf((await api.call('GET', path)).body)).toEqual([24, 'S', null]);
    const { body } = await api.call('GET', `${path}/versions`);
    expect(body['data']).toMatchObject([
      { state: 'planned', vatRate: 0, ...EXEMPT },
      { state: 'present', vatRate: 24, vatCategory: 'S' },
    ]);
  });
});
