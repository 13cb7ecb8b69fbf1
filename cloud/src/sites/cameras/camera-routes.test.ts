import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const ENTRANCE = { name: 'Entrance 1', location: 'entrance', remoteId: 'cam-in-1' };

describe('a new camera', () => {
  it('belongs to the only site, which gets its configuration', async () => {
    const body = { ...ENTRANCE, brand: 'Survision', config: { minimumOcrScore: 0.8, filters: ['exit *'] } };
    const camera = await api.made('/cameras', body);
    expect(camera).toMatchObject({
      ...ENTRANCE,
      brand: 'Survision',
      status: 'active',
      siteId: api.site.id,
      config: { minimumOcrScore: 0.8, filters: ['EXIT*'] },
    });
    const settings = { status: 'active', minimumOcrScore: 0.8, filters: ['EXIT*'] };
    const { id } = camera;
    const item = { id, remoteId: 'cam-in-1', settings };
    expect(await api.lastChange()).toEqual({ kind: 'camera', op: 'put', id, item });
  });

  it('has to say its site where there are several', async () => {
    const other = await api.addSite('Airport');
    const unsaid = await api.call('POST', '/cameras', { body: ENTRANCE });
    expect([unsaid.status, unsaid.body['messages']]).toEqual([400, ['siteId: say which site']]);
    expect(await api.made('/cameras', { ...ENTRANCE, siteId: other.id })).toMatchObject({ siteId: other.id });
  });

  it('that the site has already is refused with 422 and its id', async () => {
    const { id } = await api.made('/cameras', ENTRANCE);
    const again = await api.call('POST', '/cameras', { body: { ...ENTRANCE, name: 'Again' } });
    expect([again.status, again.body['id']]).toEqual([422, id]);
    const other = await api.made('/cameras', { ...ENTRANCE, remoteId: 'cam-in-2' });
    const renamed = await api.call('PUT', `/cameras/${other.id}`, { body: { remoteId: 'cam-in-1' } });
    expect([renamed.status, renamed.body['id']]).toEqual([422, id]);
  });

  it.each([
    ['nothing', {}, ['name: is required', 'location:', 'remoteId: is required']],
    ['a score in percent', { ...ENTRANCE, config: { minimumOcrScore: 80 } }, ['config.minimumOcrScore:']],
    ['a third location', { ...ENTRANCE, location: 'roof' }, ['location:']],
    ['an unknown site', { ...ENTRANCE, siteId: 'nowhere' }, ['siteId: there is no such site']],
    ['a filter of nothing', { ...ENTRANCE, config: { filters: ['-'] } }, ['config.filters.0:']],
  ])('of %s is refused', async (_what, body, places) => {
    const { status, body: refused } = await api.call('POST', '/cameras', { body });
    expect(status).toBe(400);
    expect(refused['messages']).toEqual(places.map((place) => expect.stringContaining(place)));
  });
});

describe('a camera', () => {
  it('keeps the fields that a change omits, and its site gets the change', async () => {
    const { id } = await api.made('/cameras', { ...ENTRANCE, config: { filters: ['X'] } });
    const body = { status: 'inactive', config: { minimumOcrScore: 0.5 } };
    const changed = await api.call('PUT', `/cameras/${id}`, { body });
    expect(changed.status).toBe(303);
    expect(changed.location).toBe(`/cameras/${id}`);
    expect(changed.body).toMatchObject({
      status: 'inactive',
      config: { minimumOcrScore: 0.5, filters: ['X'] },
    });
    expect(await api.lastChange()).toMatchObject({ item: { settings: { status: 'inactive' } } });
    expect((await api.audited()).map(({ action }) => action)).toContain('camera.update');
  });

  it('that moves to another site is taken from the first', async () => {
    const other = await api.addSite('Airport');
    const { id } = await api.made('/cameras', { ...ENTRANCE, siteId: api.site.id });
    await api.call('PUT', `/cameras/${id}`, { body: { siteId: other.id } });
    expect(await api.lastChange()).toEqual({ kind: 'camera', op: 'remove', id });
    expect(await api.lastChange(other)).toMatchObject({ kind: 'camera', op: 'put', id });
  });

  it('is found by its status', async () => {
    const active = await api.made('/cameras', ENTRANCE);
    const inactive = await api.made('/cameras', { ...ENTRANCE, remoteId: 'x', status: 'inactive' });
    const ids = async (query: string) => (await api.call('GET', `/cameras${query}`)).body['data'];
    expect(await ids('?status=active')).toMatchObject([{ id: active.id }]);
    expect(await ids('?status=deactive')).toMatchObject([{ id: inactive.id }]);
    expect(await ids(`?siteId=${api.site.id}`)).toHaveLength(2);
    expect((await api.call('GET', '/cameras?status=broken')).status).toBe(400);
  });

  it('that is not there is 404', async () => {
    expect((await api.call('GET', '/cameras/none')).status).toBe(404);
    expect((await api.call('PUT', '/cameras/none', { body: {} })).status).toBe(404);
  });
});
