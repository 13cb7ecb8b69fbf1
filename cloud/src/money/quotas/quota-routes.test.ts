import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { flagsOfVisit, sampleCustomer, sampleQuotaProduct } from '../../../test/sample-quota.ts';
import { integrationEventTable } from '../../records/webhooks/integration-event-table.ts';

let api: TestApi;
let product: string;
beforeEach(async () => {
  api = await createTestApi();
  await sampleCustomer(api, 'c1');
  await sampleCustomer(api, 'c2');
  product = await sampleQuotaProduct(api);
});
afterEach(() => api.close());

const newQuota = (fields: object = {}) => ({ customer: 'c1', product, quantity: 10, ...fields });
const exhausted = async () =>
  (await api.db.read(async (q) => await q.select().from(integrationEventTable))).filter(
    ({ type }) => type === 'quota.exhausted',
  );

describe('a new quota', () => {
  it('is answered with 303, is there, and the sites have it', async () => {
    const answer = await api.call('POST', '/quotas', { body: newQuota({ name: 'Staff' }) });
    expect([answer.status, answer.location]).toEqual([303, `/quotas/${answer.body['id']}`]);
    expect(answer.body).toEqual({
      id: expect.any(String),
      customerId: 'c1',
      productId: product,
      name: 'Staff',
      total: 10,
      used: 0,
      free: 10,
      config: { startTime: '00:00', endTime: '23:59' },
      currentVisits: [],
      createdOn: api.now(),
      modifiedOn: api.now(),
      actions: ['edit', 'delete', 'reset'],
    });
    expect((await api.call('GET', answer.location ?? '')).body).toEqual(answer.body);
    const id = answer.body['id'];
    const item = { id, customerId: 'c1', vehicleCategory: 'light', total: 10, used: 0 };
    expect(await api.lastChange()).toEqual({ kind: 'quota', op: 'put', id, item });
    expect((await api.audited()).find(({ action }) => action === 'quota.create')).toMatchObject({
      by: 'account:the-operator',
      subjectId: id,
      before: null,
      after: { customerId: 'c1', total: 10 },
    });
  });

  it('is called like its product in the customer’s language, and has its window', async () => {
    const config = { startTime: '08:00', endTime: '17:59' };
    const other = await sampleQuotaProduct(api, { config, name: { is: 'Dagkort', en: 'Day pass' } });
    expect(await api.made('/quotas', newQuota({ product: other }))).toMatchObject({
      name: 'Dagkort',
      config,
    });
  });

  it('of a product of one site is sent to that site only', async () => {
    const site = await api.addSite('Airport');
    const here = await sampleQuotaProduct(api, { siteId: site.id, vehicleCategory: 'heavy' });
    const before = await api.changes();
    await api.made('/quotas', newQuota({ product: here }));
    expect(await api.changes()).toEqual(before);
    expect(await api.lastChange(site)).toMatchObject({ kind: 'quota', item: { vehicleCategory: 'heavy' } });
  });

  it('that was made before is refused with 422 and its id', async () => {
    const { id } = await api.made('/quotas', newQuota());
    const again = await api.call('POST', '/quotas', { body: newQuota({ quantity: 20 }) });
    expect([again.status, again.body['id']]).toEqual([422, id]);
    await api.made('/quotas', newQuota({ name: 'Guests' }));
    await api.made('/quotas', newQuota({ customer: 'c2' }));
    await api.call('DELETE', `/quotas/${id}`);
    await api.made('/quotas', newQuota());
  });

  it.each([
    ['nothing', {}, ['customer: is required', 'product: is required', 'quantity: is required']],
    ['no units', { quantity: 0 }, ['quantity:']],
    ['half a unit', { quantity: 1.5 }, ['quantity:']],
    ['a key too many', { quantity: 1, used: 0 }, ['There is no field “used”.']],
    ['a wrong time', { quantity: 1, config: { startTime: '25:00' } }, ['config.startTime:']],
    ['nobody', { customer: 'none', product: 'none', quantity: 1 }, ['customer: there', 'product: there']],
  ])('of %s is refused', async (what, fields, places) => {
    const body = what === 'nothing' || what === 'nobody' ? fields : newQuota(fields);
    const answer = await api.call('POST', '/quotas', { body });
    expect(answer.status).toBe(400);
    expect(answer.body['messages']).toEqual(places.map((place) => expect.stringContaining(place)));
  });

  it('is of a product of type quota', async () => {
    const { id } = await api.made('/products', {
      type: 'default',
      price: 1,
      vehicleCategory: 'light',
      productCode: 'L',
    });
    const answer = await api.call('POST', '/quotas', { body: newQuota({ product: id }) });
    expect([answer.status, answer.body['messages']]).toEqual([400, ['product: its type is not quota']]);
  });
});

describe('the list', () => {
  it('is filtered by customer and product, in pages, each with its visits', async () => {
    const other = await sampleQuotaProduct(api, { productCode: 'R' });
    const first = await api.made('/quotas', newQuota({ name: 'first' }));
    for (let n = 0; n < 55; n++) {
      if (n % 4 === 0) api.wait(1000);
      await api.made('/quotas', newQuota({ name: `n${n}` }));
    }
    await api.made('/quotas', newQuota({ customer: 'c2', product: other }));
    await api.visit({ quota: { id: first.id, units: 1 } });
    const total = async (query: string) => (await api.call('GET', `/quotas${query}`)).body['total'];
    expect(await total('')).toBe(57);
    expect(await total('?customer=c1')).toBe(56);
    expect(await total('?customer=c2')).toBe(1);
    expect(await total(`?product=${other}`)).toBe(1);
    expect(await total(`?customer=c1&product=${other}`)).toBe(0);
    const one = await api.call('GET', '/quotas?customer=c1');
    const two = await api.call('GET', `/quotas?customer=c1&next=${one.body['next']}`);
    expect([one.body['data'], two.body['data']]).toMatchObject([{ length: 50 }, { length: 6 }]);
    expect(two.body['data']).toContainEqual(
      expect.objectContaining({ id: first.id, currentVisits: [expect.objectContaining({ units: 1 })] }),
    );
  });

  it.each(['?customer=', '?colour=red', '?next=nonsense'])('%s is refused', async (query) => {
    expect((await api.call('GET', `/quotas${query}`)).status).toBe(400);
  });
});

describe('a changed quota', () => {
  it('has more units, and the sites know it; the audit log has before and after', async () => {
    const { id } = await api.made('/quotas', newQuota());
    await api.visit({ quota: { id, units: 3 } });
    const answer = await api.call('PUT', `/quotas/${id}`, { body: { quantity: 20, name: 'More' } });
    expect([answer.status, answer.location]).toEqual([303, `/quotas/${id}`]);
    expect(answer.body).toMatchObject({ total: 20, used: 3, free: 17, name: 'More' });
    expect(await api.lastChange()).toMatchObject({ kind: 'quota', item: { total: 20, used: 3 } });
    expect((await api.audited()).find(({ action }) => action === 'quota.update')).toMatchObject({
      before: { total: 10 },
      after: { total: 20 },
    });
  });

  it('never has fewer than are used, nor another customer or product then', async () => {
    const { id } = await api.made('/quotas', newQuota());
    await api.visit({ quota: { id, units: 3 } });
    const other = await sampleQuotaProduct(api, { productCode: 'R' });
    const body = { quantity: 2, customer: 'c2', product: other };
    const answer = await api.call('PUT', `/quotas/${id}`, { body });
    expect(answer.status).toBe(400);
    expect(answer.body['messages']).toEqual([
      'quantity: 3 units are used already',
      'customer: units are used already',
      'product: units are used already',
    ]);
  });

  it('may go to another customer and site as long as none is used', async () => {
    const site = await api.addSite('Airport');
    const there = await sampleQuotaProduct(api, { siteId: site.id });
    const { id } = await api.made('/quotas', newQuota());
    const answer = await api.call('PUT', `/quotas/${id}`, { body: { customer: 'c2', product: there } });
    expect(answer.body).toMatchObject({ customerId: 'c2', productId: there });
    expect(await api.lastChange()).toEqual({ kind: 'quota', op: 'remove', id });
    expect(await api.lastChange(site)).toMatchObject({ op: 'put', item: { customerId: 'c2' } });
    const wrong = await api.call('PUT', `/quotas/${id}`, { body: { customer: 'none' } });
    expect(wrong.body['messages']).toEqual(['customer: there is no such customer']);
  });

  it('may not take the name of another', async () => {
    const one = await api.made('/quotas', newQuota({ name: 'One' }));
    const two = await api.made('/quotas', newQuota({ name: 'Two' }));
    const answer = await api.call('PUT', `/quotas/${two.id}`, { body: { name: 'One' } });
    expect([answer.status, answer.body['id']]).toEqual([422, one.id]);
  });

  it('is good where its product is, and the product stays a quota', async () => {
    const site = await api.addSite('Airport');
    const { id } = await api.made('/quotas', newQuota());
    const type = await api.call('PUT', `/products/${product}`, { body: { type: 'visit' } });
    expect(type.body['messages']).toEqual(['type: there are quotas of this product']);
    const body = { siteId: site.id, vehicleCategory: 'heavy' };
    expect((await api.call('PUT', `/products/${product}`, { body })).status).toBe(303);
    expect(await api.changes()).toContainEqual({ kind: 'quota', op: 'remove', id });
    expect(await api.changes(site)).toContainEqual(
      expect.objectContaining({ kind: 'quota', item: expect.objectContaining({ vehicleCategory: 'heavy' }) }),
    );
  });
});

describe('a reset', () => {
  it('leaves nothing free, keeps what visits have, and is audited', async () => {
    const { id } = await api.made('/quotas', newQuota());
    const visit = await api.visit({ quota: { id, units: 4 } });
    const answer = await api.call('POST', `/quotas/${id}/reset`);
    expect([answer.status, answer.location]).toEqual([303, `/quotas/${id}`]);
    expect(answer.body).toMatchObject({
      total: 4,
      used: 4,
      free: 0,
      currentVisits: [{ visitId: visit.id, units: 4 }],
    });
    expect(await api.lastChange()).toMatchObject({ kind: 'quota', item: { total: 4, used: 4 } });
    expect((await api.audited()).find(({ action }) => action === 'quota.reset')).toMatchObject({
      by: 'account:the-operator',
      subjectId: id,
      before: { total: 10, used: 4, free: 6 },
      after: { total: 4, used: 4, free: 0 },
    });
    expect(await exhausted()).toMatchObject([{ subjectId: id }]);
  });

  it('of a quota with nothing used makes it 0 of 0; again it changes nothing but the audit log', async () => {
    const { id } = await api.made('/quotas', newQuota());
    await api.call('POST', `/quotas/${id}/reset`);
    const changes = await api.changes();
    const again = await api.call('POST', `/quotas/${id}/reset`);
    expect(again.body).toMatchObject({ total: 0, used: 0, free: 0 });
    expect(await api.changes()).toEqual(changes);
    expect((await api.audited()).filter(({ action }) => action === 'quota.reset')).toHaveLength(2);
    expect(await exhausted()).toHaveLength(1);
  });
});

it('a deleted quota is gone from list and sites; visits keep their units and get no more', async () => {
  const { id } = await api.made('/quotas', newQuota());
  const visit = await api.visit({ quota: { id, units: 2 } });
  expect((await api.call('DELETE', `/quotas/${id}`)).status).toBe(204);
  expect(await api.lastChange()).toEqual({ kind: 'quota', op: 'remove', id });
  expect((await api.call('GET', '/quotas')).body['total']).toBe(0);
  const changes = await api.changes();
  await api.visit({ ...visit, quota: { id, units: 3 } });
  expect(await api.changes()).toEqual(changes);
  expect(await flagsOfVisit(api, visit.id)).toEqual(['quota-exceeded']);
  for (const [method, path] of [
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/reset'],
  ] as const) {
    const answer = await api.call(method, `/quotas/${id}${path}`, method === 'PUT' ? { body: {} } : {});
    expect([method, answer.status, answer.body['messages']]).toEqual([
      method,
      404,
      ['There is no such quota.'],
    ]);
  }
});

it('customers read their own quotas and no others; only operators change them', async () => {
  const mine = await api.made('/quotas', newQuota());
  const others = await api.made('/quotas', newQuota({ customer: 'c2' }));
  for (const role of ['customer', 'partner', 'whitelist'] as const) {
    const token = await api.account(role, { customerId: 'c1' });
    const list = await api.call('GET', '/quotas', { token });
    expect(list.body).toMatchObject({ total: 1, data: [{ id: mine.id }] });
    expect((await api.call('GET', '/quotas?customer=c2', { token })).body['total']).toBe(0);
    expect((await api.call('GET', `/quotas/${mine.id}`, { token })).status).toBe(200);
    expect((await api.call('GET', `/quotas/${others.id}`, { token })).status).toBe(404);
    const change = await api.call('PUT', `/quotas/${mine.id}`, { token, body: { quantity: 99 } });
    expect(change.status).toBe(403);
    expect((await api.call('POST', '/quotas', { token, body: newQuota() })).status).toBe(403);
    expect((await api.call('DELETE', `/quotas/${mine.id}`, { token })).status).toBe(403);
    expect((await api.call('POST', `/quotas/${mine.id}/reset`, { token })).status).toBe(403);
    const nobodys = await api.account(role);
    expect((await api.call('GET', '/quotas', { token: nobodys })).body['total']).toBe(0);
    expect((await api.call('GET', `/quotas/${mine.id}`, { token: nobodys })).status).toBe(404);
  }
  expect((await api.call('GET', '/quotas', { token: null })).status).toBe(401);
});
