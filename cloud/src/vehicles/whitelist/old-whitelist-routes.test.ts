import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const OLD = '/whitelist';
const NEW = '/visit/whitelist';

const reported = ({ headers }: { headers: Headers }) => [headers.get('deprecation'), headers.get('link')];
const DEPRECATED = ['@1795219200', '</visit/whitelist>; rel="successor-version"'];

it('the old calls do and answer the same as the new ones, and say that there are newer ones', async () => {
  const made = await api.call('POST', OLD, {
    body: { plate: 'ab-x 12', reason: 'Staff', collection: 'app' },
  });
  const path = `${NEW}/${made.body['id']}`;
  expect([made.status, made.location, reported(made)]).toEqual([303, path, DEPRECATED]);
  expect(await api.lastChange()).toMatchObject({ kind: 'permit', item: { plate: 'ABX12' } });

  const oldOne = `${OLD}/${made.body['id']}`;
  const [got, gotOld] = [await api.call('GET', path), await api.call('GET', oldOne)];
  expect([gotOld.status, gotOld.body]).toEqual([200, got.body]);
  expect([reported(got), reported(gotOld)]).toEqual([[null, null], DEPRECATED]);

  const changed = await api.call('PUT', oldOne, { body: { status: 'paused' } });
  expect([changed.status, changed.location, reported(changed)]).toEqual([303, path, DEPRECATED]);
  expect(changed.body).toMatchObject({ status: 'paused' });

  const gone = await api.call('DELETE', oldOne);
  expect([gone.status, reported(gone)]).toEqual([204, DEPRECATED]);
  expect((await api.call('GET', path)).body['status']).toBe('deleted');
});

it('the old list has every filter of the new one', async () => {
  await api.made(NEW, { plate: 'AB1', reason: 'x', collection: 'app' });
  await api.made(NEW, { plate: 'AB2', reason: 'x', collection: 'cpanel', status: 'paused' });
  await api.made(NEW, { plate: 'AB3', reason: 'x', collection: 'staff' });
  for (const query of [
    '',
    '?collection=app',
    '?plate=ab2',
    '?status=paused',
    '?active=true',
    '?expire=true',
  ]) {
    const [old, now] = [await api.call('GET', OLD + query), await api.call('GET', NEW + query)];
    expect([query, old.body, reported(old)]).toEqual([query, now.body, DEPRECATED]);
  }
  expect(await api.plates(`${OLD}?collection=cpanel`)).toEqual(['AB2']);
});

it('the old calls refuse what the new ones refuse, and collections but app and cpanel', async () => {
  const empty = await api.call('POST', OLD, { body: {} });
  expect([empty.status, empty.body['messages'], reported(empty)]).toEqual([
    400,
    ['plate: is required', 'reason: is required'],
    DEPRECATED,
  ]);
  const collection = 'collection: must be one of app, cpanel';
  const staff = await api.call('POST', OLD, { body: { plate: 'AB1', reason: 'x', collection: 'staff' } });
  expect([staff.status, staff.body['messages']]).toEqual([400, [collection]]);
  const list = await api.call('GET', `${OLD}?collection=staff`);
  expect([list.status, list.body['messages']]).toEqual([400, [collection]]);
  const again = await api.made(OLD, { plate: 'AB1', reason: 'x' });
  const twice = await api.call('POST', OLD, { body: { plate: 'AB1', reason: 'x' } });
  expect([twice.status, twice.body['id'], reported(twice)]).toEqual([422, again.id, DEPRECATED]);
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const answer = await api.call(method, `${OLD}/none`, method === 'PUT' ? { body: {} } : {});
    expect([method, answer.status, reported(answer)]).toEqual([method, 404, DEPRECATED]);
  }
});

it('nobody sees another customer’s entry by an old address', async () => {
  const one = await api.account('customer', { customerId: 'c1' });
  const two = await api.account('customer', { customerId: 'c2' });
  const { id } = await api.made(OLD, { plate: 'AB1', reason: 'x' }, { token: one });
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const body = method === 'PUT' ? { body: {} } : {};
    expect((await api.call(method, `${OLD}/${id}`, { token: two, ...body })).status).toBe(404);
  }
  expect(await api.plates(OLD, { token: two })).toEqual([]);
  const kiosk = await api.roleToken('kiosk');
  expect((await api.call('GET', OLD, { token: kiosk })).status).toBe(403);
  expect((await api.call('GET', OLD, { token: null })).status).toBe(401);
});

it('the document marks the old calls as deprecated, and no others of the whitelist', async () => {
  const { body } = await api.call('GET', '/openapi.json', { token: null });
  const operations = z.record(
    z.string(),
    z.record(z.string(), z.looseObject({ deprecated: z.boolean().optional() })),
  );
  const paths = operations.parse(body['paths']);
  for (const [path, methods] of Object.entries(paths)) {
    if (!path.includes('whitelist')) continue;
    for (const operation of Object.values(methods)) {
      expect([path, operation.deprecated ?? false]).toEqual([path, path.startsWith('/whitelist')]);
    }
  }
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining(['/whitelist', '/whitelist/{id}', `${NEW}/import`]),
  );
});
