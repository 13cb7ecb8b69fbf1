import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

it('a new zone has free-form settings; its site gets the capacity', async () => {
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

it('a changed zone is sent to its site and audited', async () => {
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

it('a site has one zone of a name: once more names the first', async () => {
  const body = { name: 'Cellar', settings: { capacity: 120 } };
  const { id } = await api.made('/zones', body);
  const again = await api.call('POST', '/zones', { body });
  expect([again.status, again.body['id']]).toEqual([422, id]);
  const roof = await api.made('/zones', { name: 'Roof', settings: {} });
  const renamed = await api.call('PUT', `/zones/${roof.id}`, { body: { name: 'Cellar' } });
  expect([renamed.status, renamed.body['id']]).toEqual([422, id]);
  const other = await api.addSite('Airport');
  await api.made('/zones', { ...body, siteId: other.id });
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
  [
    'lanes that are no names',
    { name: 'A', settings: { lanes: ['', 1] } },
    ['settings.lanes.0:', 'settings.lanes.1:'],
  ],
  [
    'a lane twice',
    { name: 'A', settings: { lanes: ['in-1', 'in-1'] } },
    ['settings.lanes: names a lane twice'],
  ],
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

describe('occupancy', () => {
  const occupancy = async (id: string) => (await api.call('GET', `/zones/${id}`)).body['occupancy'];

  it('is of the vehicles inside that came in by the zone’s lanes', async () => {
    const settings = { capacity: 2, lanes: ['in-1', 'in-2'] };
    const cellar = await api.made('/zones', { name: 'Cellar', settings });
    const roof = await api.made('/zones', { name: 'Roof', settings: { lanes: ['in-3'] } });
    const rest = await api.made('/zones', { name: 'Rest', settings: {} });
    expect(cellar).toMatchObject({ capacity: 2, occupancy: 0 });
    for (const entryLaneId of ['in-1', 'in-2', 'in-2', 'in-9', null]) await api.visit({ entryLaneId });
    const over = await api.visit({ entryLaneId: 'in-1' });
    await api.visit({ ...over, status: 'completed', endedAt: '2026-11-21T11:00:00.000Z' });
    const other = await api.addSite('Airport');
    await api.visit({ entryLaneId: 'in-1' }, { siteId: other.id });
    expect([await occupancy(cellar.id), await occupancy(roof.id), await occupancy(rest.id)]).toEqual([
      3, 0, 2,
    ]);
    const list = await api.call('GET', '/zones');
    expect(
      new Map(
        z
          .array(z.looseObject({ name: z.string(), occupancy: z.number().nullable() }))
          .parse(list.body['data'])
          .map((zone) => [zone.name, zone.occupancy]),
      ),
    ).toEqual(
      new Map([
        ['Rest', 2],
        ['Roof', 0],
        ['Cellar', 3],
      ]),
    );
  });

  it('is of the whole site where the zone is the only one and has no lanes', async () => {
    const { id } = await api.made('/zones', { name: 'All', settings: { capacity: 9 } });
    await api.visit({ entryLaneId: 'in-1' });
    await api.visit({ entryLaneId: null });
    expect(await occupancy(id)).toBe(2);
    api.wait(1);
    const roof = await api.made('/zones', { name: 'Roof', settings: {} });
    // A new zone takes nothing from it before its lanes are named.
    expect([await occupancy(id), await occupancy(roof.id)]).toEqual([2, null]);
    await api.call('PUT', `/zones/${roof.id}`, { body: { settings: { lanes: ['in-1'] } } });
    expect([await occupancy(id), await occupancy(roof.id)]).toEqual([1, 1]);
    expect((await api.call('DELETE', `/zones/${roof.id}`)).status).toBe(204);
    expect(await occupancy(id)).toBe(2);
    expect(await api.lastChange()).toEqual({ kind: 'zone', op: 'remove', id: roof.id });
    expect((await api.audited()).some(({ action }) => action === 'zone.delete')).toBe(true);
    expect((await api.call('GET', `/zones/${roof.id}`)).status).toBe(404);
    expect((await api.call('DELETE', `/zones/${roof.id}`)).status).toBe(404);
  });

  it('is of one zone only: a lane leads into one', async () => {
    await api.made('/zones', { name: 'Cellar', settings: { lanes: ['in-1'] } });
    const { id } = await api.made('/zones', { name: 'Roof', settings: {} });
    const body = { settings: { lanes: ['in-1', 'in-2'] } };
    const refused = await api.call('PUT', `/zones/${id}`, { body });
    expect([refused.status, refused.body['messages']]).toEqual([
      400,
      ['settings.lanes: in-1 leads into “Cellar” already'],
    ]);
    const other = await api.addSite('Airport');
    expect((await api.call('PUT', `/zones/${id}`, { body: { ...body, siteId: other.id } })).status).toBe(303);
  });

  it('is corrected by a person, for the site too, and counts on from there', async () => {
    const settings = { capacity: 3, lanes: ['in-1'] };
    const { id } = await api.made('/zones', { name: 'Cellar', settings });
    for (let n = 0; n < 3; n++) await api.visit({ entryLaneId: 'in-1' });
    const correct = (body: unknown, token?: string) =>
      api.call('PUT', `/zones/${id}/occupancy`, { body, ...(token !== undefined && { token }) });
    const guard = await api.account('operator', { permissions: ['lanes'], id: 'guard' });
    const corrected = await correct({ inside: 1, reason: 'Counted' }, guard);
    expect([corrected.status, corrected.body]).toEqual([
      303,
      {
        id,
        capacity: 3,
        inside: 1,
        counted: 3,
        actions: ['correct'],
        corrections: [{ inside: 1, insideBefore: 3, reason: 'Counted', by: 'account:guard', on: api.now() }],
      },
    ]);
    expect(await api.lastChange()).toMatchObject({ kind: 'zone', item: { capacity: 3, insideOffset: -2 } });
    expect((await api.audited()).find(({ action }) => action === 'zone.correct-occupancy')).toMatchObject({
      by: 'account:guard',
      reason: 'Counted',
      before: { inside: 3 },
      after: { inside: 1 },
    });
    await api.visit({ entryLaneId: 'in-1' });
    expect(await occupancy(id)).toBe(2);
    // Its name and settings have nothing to do with it.
    await api.call('PUT', `/zones/${id}`, { body: { settings: { capacity: 4 } } });
    expect(await api.lastChange()).toMatchObject({ item: { capacity: 4, insideOffset: -2 } });
    // The count is the same: no second correction is made.
    await correct({ inside: 2, reason: 'Counted again' });
    const { body } = await api.call('GET', `/zones/${id}/occupancy`);
    expect(body['corrections']).toHaveLength(1);
    expect((await correct({ inside: 1 })).status).toBe(400);
    expect((await correct({ inside: -1, reason: 'x' })).status).toBe(400);
    const office = await api.account('operator', { permissions: ['visits'] });
    expect((await correct({ inside: 1, reason: 'x' }, office)).status).toBe(403);
    await api.made('/zones', { name: 'Rest', settings: {} });
    api.wait(1);
    const unknown = await api.made('/zones', { name: 'Roof', settings: {} });
    const refused = await api.call('PUT', `/zones/${unknown.id}/occupancy`, {
      body: { inside: 1, reason: 'x' },
    });
    expect(refused.status).toBe(400);
  });
});
