import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { ACCOUNT_ROLES } from '../../platform/http/caller.ts';

const VIEW = { name: 'Unpaid', url: '/console/all/visits?collection=unpaid' };

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

async function views(token: string) {
  const { body } = await api.call('GET', '/views', { token });
  return z.array(z.looseObject({ id: z.string() })).parse(body['data']);
}

async function save(token: string, more: object = {}) {
  const { status, body } = await api.call('POST', '/views', { token, body: { ...VIEW, ...more } });
  return { status, id: String(body['id']), body };
}

it.each(ACCOUNT_ROLES)('a %s saves, changes and deletes views that no other account sees', async (role) => {
  const token = await api.account(role, { customerId: 'c1' });
  const others = await Promise.all(ACCOUNT_ROLES.map((other) => api.account(other, { customerId: 'c1' })));
  const made = await save(token);
  expect(made).toMatchObject({ status: 303, body: { ...VIEW, shared: false, own: true, by: role } });
  const path = `/views/${made.id}`;
  for (const other of others) {
    expect(await views(other)).toEqual([]);
    expect((await api.call('GET', path, { token: other })).status).toBe(404);
    expect((await api.call('PUT', path, { token: other, body: { name: 'x' } })).status).toBe(404);
    expect((await api.call('DELETE', path, { token: other })).status).toBe(404);
  }
  const edited = await api.call('PUT', path, { token, body: { name: 'Ógreitt' } });
  expect(edited.body).toMatchObject({ ...VIEW, name: 'Ógreitt' });
  expect(await views(token)).toEqual([edited.body]);
  expect((await api.call('DELETE', path, { token })).status).toBe(204);
  expect(await views(token)).toEqual([]);
});

it('operators share views with each other, and with no other', async () => {
  const [anna, jon] = [await api.account('operator', { id: 'anna' }), await api.account('operator')];
  const customer = await api.account('customer', { customerId: 'c1' });
  const { id } = await save(anna, { shared: true });
  expect(await views(jon)).toMatchObject([{ id, shared: true, own: false }]);
  expect(await views(customer)).toEqual([]);
  expect((await api.call('PUT', `/views/${id}`, { token: jon, body: { name: 'x' } })).status).toBe(404);
  expect((await save(customer, { shared: true })).status).toBe(400);
  const own = await save(customer);
  expect(
    (await api.call('PUT', `/views/${own.id}`, { token: customer, body: { shared: true } })).status,
  ).toBe(400);
  expect((await api.call('DELETE', '/accounts/anna')).status).toBe(204);
  expect(await views(jon)).toEqual([]);
});

it.each([
  'https://evil.example/',
  '//evil.example',
  '/visits',
  '/console/\\x',
  '/console/a b',
  'javascript:1',
  '',
])('refuses the address %s', async (url) => {
  expect((await save(api.operator, { url })).status).toBe(400);
});

it('an account has a limited number of views', async () => {
  const token = await api.account('operator');
  for (let n = 0; n < 200; n++) expect((await save(token)).status).toBe(303);
  expect((await save(token)).status).toBe(400);
});
