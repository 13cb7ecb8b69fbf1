import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../test-api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

it('a new zone has free-form settings; its site is told the capacity', async () => {
  const settings = { capacity: 120, colour: { floor: 'grey' } };
  const zone = await api.made('/zones', { name: 'Cellar', settings });
  expect(zone).toMatchObject({ name: 'Cellar', settings, siteId: api.site.id });
  const item = { id: zone.id, name: 'Cellar', capacity: 120 };
  expect(await api.lastChange()).toEqual({ kind: 'zone', op: 'put', id: zone.id, item });
});

it('a zone without a capacity is not counted', async () => {
  await api.made('/zones', { name: 'Roof', settings: {} });
  expect(await api.lastChange()).toMatchObject({ item: { capacity: null } });
});

it('a changed zone is told to its site and audited', async () => {
  const { id } = await api.made('/zones', { name: 'Cellar', settings: { capacity: 120, note: 'x' } });
  const changed = await api.call('PUT', `/zones/${id}`, { body: { settings: { capacity: 110 } } });
  expect([changed.status, changed.location]).toEqual([303, `/zones/${id}`]);
  expect(changed.body).toMatchObject({ name: 'Cellar', settings: { capacity: 110 } });
  expect(await api.lastChange()).toMatchObject({ item: { name: 'Cellar', capacity: 110 } });
  expect((await api.audited()).find(({ action }) => action === 'zone.update')).toMatchObject({
    before: { settings: { capacity: 120, note: 'x' } },
    after: { settings: { capacity: 110 } },
  });
});

it('zones are listed, all or of a site, also for a kiosk', async () => {
  const other = await api.addSite('Airport');
  const { id } = await api.made('/zones', { name: 'A', settings: {}, siteId: api.site.id });
  await api.made('/zones', { name: 'B', settings: {}, siteId: other.id });
  const kiosk = await api.roleToken('kiosk');
  expect((await api.call('GET', '/zones', { token: kiosk })).body['total']).toBe(2);
  const some = await api.call('GET', `/zones?siteId=${api.site.id}`);
  expect(some.body['data']).toMatchObject([{ id }]);
});

it.each([
  ['nothing', {}, ['name: is required', 'settings: is required']],
  ['a capacity in words', { name: 'A', settings: { capacity: 'many' } }, ['settings.capacity:']],
  ['no name', { name: '', settings: {} }, ['name:']],
])('a zone of %s is refused', async (_what, body, places) => {
  const { status, body: refused } = await api.call('POST', '/zones', { body });
  expect(status).toBe(400);
  expect(refused['messages']).toEqual(places.map((place) => expect.stringContaining(place)));
});

it('a zone that is not there is 404', async () => {
  expect((await api.call('GET', '/zones/none')).status).toBe(404);
  expect((await api.call('PUT', '/zones/none', { body: { name: 'x' } })).status).toBe(404);
});
