import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const PATH = '/visit/whitelist';
const STAFF = { plate: 'ab-x 12', reason: 'Staff' };

describe('a new entry', () => {
  it('is permanent and active, and every site has its permit', async () => {
    const other = await api.addSite('Airport');
    const entry = await api.made(PATH, STAFF);
    expect(entry).toEqual({
      id: expect.any(String),
      author: { id: 'the-operator', name: 'operator' },
      authorId: 'the-operator',
      plate: 'ABX12',
      type: 'permanent',
      visitId: null,
      activeFrom: null,
      expireOn: null,
      createdOn: api.now(),
      modifiedOn: api.now(),
      reason: 'Staff',
      objectType: 'allow',
      collection: null,
      rules: [],
      status: 'active',
      siteId: null,
      arrivalsOnly: false,
      parkedMinutes: 0,
      actions: ['edit', 'pause', 'delete'],
    });
    const { id } = entry;
    const permit = {
      id,
      plate: 'ABX12',
      effect: 'allow',
      type: 'permanent',
      visitId: null,
      activeFrom: null,
      expireAt: null,
      status: 'active',
      rules: [],
    };
    const change = { kind: 'permit', op: 'put', id, item: permit };
    expect(await api.lastChange()).toEqual(change);
    expect(await api.lastChange(other)).toEqual(change);
  });

  it('of one site is sent to that site only', async () => {
    const other = await api.addSite('Airport');
    const before = await api.changes();
    await api.made(PATH, { ...STAFF, siteId: other.id });
    expect(await api.changes()).toEqual(before);
    expect(await api.lastChange(other)).toMatchObject({ item: { plate: 'ABX12' } });
  });

  it('may have a time, rules and a collection, in any offset', async () => {
    const rules = [{ weekdays: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }];
    const entry = await api.made(PATH, {
      ...STAFF,
      activeFrom: '2026-11-22T10:00:00+02:00',
      expireOn: '2026-12-22T08:00:00Z',
      collection: 'staff',
      objectType: 'block',
      rules,
    });
    expect(entry).toMatchObject({
      activeFrom: '2026-11-22T08:00:00.000Z',
      expireOn: '2026-12-22T08:00:00.000Z',
      collection: 'staff',
      objectType: 'block',
      rules,
    });
    expect(await api.lastChange()).toMatchObject({ item: { effect: 'block', rules } });
  });

  it('that was made before is refused with 422 and its id', async () => {
    const { id } = await api.made(PATH, STAFF);
    const again = await api.call('POST', PATH, { body: { plate: 'ABX12', reason: 'Other words' } });
    expect([again.status, again.body['id']]).toEqual([422, id]);
    expect((await api.call('POST', PATH, { body: { ...STAFF, objectType: 'block' } })).status).toBe(303);
    const later = { ...STAFF, activeFrom: '2026-12-01T00:00:00.000Z' };
    expect((await api.call('POST', PATH, { body: later })).status).toBe(303);
    await api.call('DELETE', `${PATH}/${id}`);
    expect((await api.call('POST', PATH, { body: STAFF })).status).toBe(303);
  });

  it.each([
    ['nothing', {}, ['plate: is required', 'reason: is required']],
    ['a plate of signs', { ...STAFF, plate: '--' }, ['plate: a plate has a letter or a digit']],
    ['a time without an end', { ...STAFF, type: 'time' }, ['expireOn: an entry of type time has an end']],
    [
      'an end before the beginning',
      { ...STAFF, activeFrom: '2026-11-22T08:00:00Z', expireOn: '2026-11-21T08:00:00Z' },
      ['expireOn: the end is after the beginning'],
    ],
    ['a visit that is none', { ...STAFF, visitId: 'none' }, ['visitId: there is no such visit']],
    [
      'a visit without an id',
      { ...STAFF, type: 'visit' },
      ['visitId: an entry of type visit names its visit'],
    ],
    ['a site that is none', { ...STAFF, siteId: 'none' }, ['siteId: there is no such site']],
    ['an author who is none', { ...STAFF, authorId: 'none' }, ['authorId: there is no such account']],
    [
      'weekday 8',
      { ...STAFF, rules: [{ weekdays: [8] }] },
      ['rules.0.weekdays.0: a weekday is a number from 1 (Monday) to 7 (Sunday)'],
    ],
    ['no weekday', { ...STAFF, rules: [{ weekdays: [] }] }, ['rules.0.weekdays: names at least one weekday']],
    [
      'hours that are none',
      { ...STAFF, rules: [{ weekdays: [1], from: '8', to: '24:00' }] },
      ['rules.0.from: a time of day such as 08:30', 'rules.0.to: a time of day such as 08:30'],
    ],
    [
      'rules with more',
      { ...STAFF, rules: [{ weekdays: [1], month: 1 }] },
      ['rules.0: there is no field “month”'],
    ],
    ['a key too many', { ...STAFF, id: 'mine' }, ['There is no field “id”.']],
  ])('of %s is refused', async (_what, body, places) => {
    const before = await api.changes();
    const { status, body: refused } = await api.call('POST', PATH, { body });
    expect(status).toBe(400);
    expect(refused['messages']).toEqual(places.map((place) => expect.stringContaining(place)));
    expect(await api.changes()).toEqual(before);
  });
});

describe('a changed entry', () => {
  it('is sent to the sites, and audited with before and after', async () => {
    const { id } = await api.made(PATH, STAFF);
    const body = { status: 'paused', plate: 'mkj 45', reason: 'Left us' };
    const changed = await api.call('PUT', `${PATH}/${id}`, { body });
    expect([changed.status, changed.location]).toEqual([303, `${PATH}/${id}`]);
    expect(changed.body).toMatchObject({ status: 'paused', plate: 'MKJ45', reason: 'Left us' });
    expect(await api.lastChange()).toMatchObject({ item: { status: 'paused', plate: 'MKJ45' } });
    expect((await api.audited()).find(({ action }) => action === 'whitelist.update')).toMatchObject({
      by: 'account:the-operator',
      before: { plate: 'ABX12', status: 'active' },
      after: { plate: 'MKJ45', status: 'paused' },
    });
  });

  it('that moves from all sites to one is taken from the others', async () => {
    const other = await api.addSite('Airport');
    const { id } = await api.made(PATH, STAFF);
    await api.call('PUT', `${PATH}/${id}`, { body: { siteId: other.id } });
    expect(await api.lastChange()).toEqual({ kind: 'permit', op: 'remove', id });
    expect(await api.lastChange(other)).toMatchObject({ op: 'put', id });
    await api.call('PUT', `${PATH}/${id}`, { body: { siteId: null } });
    expect(await api.lastChange()).toMatchObject({ op: 'put', id });
  });

  it('that is deleted is taken from the sites and kept as deleted', async () => {
    const { id } = await api.made(PATH, STAFF);
    expect((await api.call('DELETE', `${PATH}/${id}`)).status).toBe(204);
    expect(await api.lastChange()).toEqual({ kind: 'permit', op: 'remove', id });
    expect((await api.call('GET', `${PATH}/${id}`)).body['status']).toBe('deleted');
    expect(await api.plates(PATH)).toEqual([]);
    expect(await api.plates(`${PATH}?status=deleted`)).toEqual(['ABX12']);
    expect((await api.audited()).map(({ action }) => action)).toContain('whitelist.delete');
    const changes = await api.changes();
    expect((await api.call('DELETE', `${PATH}/${id}`)).status).toBe(204);
    expect(await api.changes()).toEqual(changes);
    await api.call('PUT', `${PATH}/${id}`, { body: { status: 'active' } });
    expect(await api.lastChange()).toMatchObject({ op: 'put', id });
  });

  it('that is not there is 404', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await api.call(method, `${PATH}/none`, method === 'PUT' ? { body: {} } : {});
      expect([method, answer.status]).toEqual([method, 404]);
    }
  });
});

describe('the list', () => {
  beforeEach(async () => {
    const entries = [
      { plate: 'ABX12', reason: 'Staff of the bank', collection: 'staff' },
      { plate: 'A8X12', reason: 'Staff' },
      { plate: 'MKJ45', reason: 'Guest', expireOn: '2026-11-22T00:00:00Z' },
      { plate: 'OLD11', reason: 'Gone', expireOn: '2026-11-20T00:00:00Z' },
      { plate: 'NEW22', reason: 'Later', activeFrom: '2026-12-01T00:00:00Z', status: 'paused' },
      { plate: 'BAD66', reason: 'Theft', objectType: 'block' },
    ];
    for (const entry of entries) {
      await api.made(PATH, entry);
      api.wait(1000);
    }
  });

  it.each([
    ['', ['BAD66', 'NEW22', 'OLD11', 'MKJ45', 'A8X12', 'ABX12']],
    ['?plate=abx-12', ['ABX12', 'A8X12']],
    ['?plate=A8X12', ['A8X12', 'ABX12']],
    ['?reason=Staff', ['A8X12', 'ABX12']],
    ['?reason=Staff%20of', ['ABX12']],
    ['?collection=staff', ['ABX12']],
    ['?active=true', ['BAD66', 'MKJ45', 'A8X12', 'ABX12']],
    ['?active=false', ['NEW22', 'OLD11']],
    ['?expire=true', ['OLD11', 'MKJ45']],
    ['?expire=false', ['BAD66', 'NEW22', 'A8X12', 'ABX12']],
    ['?expire=2026-11-21T00:00:00Z', ['OLD11']],
    ['?status=paused', ['NEW22']],
    ['?status=all', ['BAD66', 'NEW22', 'OLD11', 'MKJ45', 'A8X12', 'ABX12']],
    ['?objectType=block', ['BAD66']],
    ['?type=permanent&collection=staff', ['ABX12']],
    ['?type=temporary', []],
    ['?status=active', ['BAD66', 'OLD11', 'MKJ45', 'A8X12', 'ABX12']],
    ['?status=deleted', []],
    ['?objectType=allow&active=true', ['MKJ45', 'A8X12', 'ABX12']],
    ['?collection=none', []],
    ['?plate=abx12&reason=Staff&collection=staff&status=active&type=permanent&expire=false', ['ABX12']],
  ])('%s', async (query, expected) => {
    expect(await api.plates(`${PATH}${query}`)).toEqual(expected);
  });

  it('is of what holds at a site, and of temporary entries, where it is asked for', async () => {
    const other = await api.addSite('Airport');
    await api.made(PATH, { plate: 'HERE1', reason: 'x', siteId: api.site.id });
    api.wait(1000);
    const visit = await api.visit(
      { plate: 'THERE', startedAt: '2026-11-21T08:00:00.000Z' },
      { siteId: other.id },
    );
    await api.made(PATH, { plate: 'THERE', reason: 'x', visitId: visit.id });
    api.wait(1000);
    const time = { type: 'time', expireOn: '2026-11-30T00:00:00Z' };
    await api.made(PATH, { plate: 'TIME1', reason: 'x', ...time });
    const all = ['BAD66', 'NEW22', 'OLD11', 'MKJ45', 'A8X12', 'ABX12'];
    expect(await api.plates(`${PATH}?siteId=${api.site.id}`)).toEqual(['TIME1', 'HERE1', ...all]);
    expect(await api.plates(`${PATH}?siteId=${other.id}`)).toEqual(['TIME1', 'THERE', ...all]);
    expect(await api.plates(`${PATH}?siteId=${other.id}&type=temporary`)).toEqual(['TIME1', 'THERE']);
    expect(await api.plates(`${PATH}?type=temporary&expire=true`)).toEqual(['TIME1']);
    expect(await api.plates(`${PATH}?type=permanent&status=all&siteId=none`)).toEqual(all);
  });

  it.each(['?status=gone', '?active=perhaps', '?next=nonsense', '?colour=red', '?expire=soon'])(
    '%s is refused',
    async (query) => {
      expect((await api.call('GET', `${PATH}${query}`)).status).toBe(400);
    },
  );
});

it('pages lead through all entries, forth and back', async () => {
  for (let n = 0; n < 120; n++) {
    if (n % 3 === 0) api.wait(1000);
    await api.made(PATH, { plate: `ABX${n}`, reason: 'Staff' });
  }
  const walk = async (from: string, way: 'next' | 'previous') => {
    const pages: string[][] = [];
    let query = from;
    for (;;) {
      const { body } = await api.call('GET', `${PATH}${query}`);
      expect(body['total']).toBe(120);
      pages.push((await api.plates(`${PATH}${query}`)).map(String));
      if (typeof body[way] !== 'string') return { pages, last: query };
      query = `?next=${body[way]}`;
    }
  };
  const forth = await walk('', 'next');
  expect(forth.pages.map((page) => page.length)).toEqual([50, 50, 20]);
  expect(new Set(forth.pages.flat()).size).toBe(120);
  const back = await walk(forth.last, 'previous');
  expect(back.pages.reverse()).toEqual(forth.pages);
});
