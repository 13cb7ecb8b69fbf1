import { MINUTE_MS } from '@hlid/protocol/utc-time';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CallOptions, createTestApi, type TestApi } from '../test-api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const PATH = '/visit/whitelist';
const STAFF = { plate: 'ab-x 12', reason: 'Staff' };

async function plates(query: string, options: CallOptions = {}): Promise<unknown[]> {
  const { body } = await api.call('GET', `${PATH}${query}`, options);
  const { data } = body;
  return Array.isArray(data) ? data.map((entry: { plate: string }) => entry.plate) : [body];
}

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

  it('of one site is told to that site only', async () => {
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
    ['weekday 8', { ...STAFF, rules: [{ weekdays: [8] }] }, ['rules.0.weekdays.0:']],
    ['a key too many', { ...STAFF, id: 'mine' }, ['Unrecognized key: "id"']],
  ])('of %s is refused', async (_what, body, places) => {
    const before = await api.changes();
    const { status, body: refused } = await api.call('POST', PATH, { body });
    expect(status).toBe(400);
    expect(refused['messages']).toEqual(places.map((place) => expect.stringContaining(place)));
    expect(await api.changes()).toEqual(before);
  });
});

describe('a changed entry', () => {
  it('is told to the sites, and audited with before and after', async () => {
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
    expect(await plates('')).toEqual([]);
    expect(await plates('?status=deleted')).toEqual(['ABX12']);
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
  ])('%s', async (query, expected) => {
    expect(await plates(query)).toEqual(expected);
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
      pages.push((await plates(query)).map(String));
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

describe('entries of others', () => {
  it('are not there for a customer, a partner, or a whitelist user', async () => {
    const holders: Record<string, string> = {
      one: await api.account('customer', { customerId: 'c1' }),
      two: await api.account('partner', { customerId: 'c2' }),
      three: await api.account('whitelist'),
      four: await api.account('whitelist'),
      five: await api.roleToken('whitelist'),
    };
    const own: Record<string, string> = {};
    for (const [name, token] of Object.entries(holders)) {
      own[name] = (await api.made(PATH, { plate: `OF${name}`, reason: name }, { token })).id;
    }
    for (const [name, token] of Object.entries(holders)) {
      expect(await plates('', { token }), name).toEqual([`OF${name.toUpperCase()}`]);
      for (const [other, id] of Object.entries(own)) {
        const expected = other === name ? [200, 303, 204] : [404, 404, 404];
        const got = await api.call('GET', `${PATH}/${id}`, { token });
        const put = await api.call('PUT', `${PATH}/${id}`, { token, body: { reason: `${name} was here` } });
        const gone = other === name ? { status: 204 } : await api.call('DELETE', `${PATH}/${id}`, { token });
        expect([got.status, put.status, gone.status], `${name} at ${other}`).toEqual(expected);
      }
    }
    expect(await plates('')).toHaveLength(5);
  });

  it('are shared by the accounts of a customer', async () => {
    const [one, two] = [
      await api.account('customer', { customerId: 'c1' }),
      await api.account('whitelist', { customerId: 'c1' }),
    ];
    await api.made(PATH, STAFF, { token: one });
    expect(await plates('', { token: two })).toEqual(['ABX12']);
  });

  it('may be assigned by an operator, and by nobody else; only operators block', async () => {
    const token = await api.account('customer', { customerId: 'c1', id: 'anna' });
    const entry = await api.made(PATH, { ...STAFF, authorId: 'anna' });
    expect(entry).toMatchObject({ authorId: 'anna', author: { id: 'anna', name: 'customer' } });
    expect(await plates('', { token })).toEqual(['ABX12']);
    const refused = await api.call('POST', PATH, {
      token,
      body: { ...STAFF, authorId: 'the-operator', objectType: 'block' },
    });
    expect(refused.body['messages']).toEqual(['authorId: only operators may set it']);
    const block = await api.call('POST', PATH, { token, body: { ...STAFF, objectType: 'block' } });
    expect(block.body['messages']).toEqual(['objectType: only operators may block a plate']);
    const blocked = await api.made(PATH, {
      plate: 'BAD66',
      reason: 'x',
      objectType: 'block',
      authorId: 'anna',
    });
    expect((await api.call('DELETE', `${PATH}/${blocked.id}`, { token })).status).toBe(400);
  });

  it('expire as their account has it', async () => {
    const token = await api.account('whitelist', { options: { expireTime: 90 } });
    const until = (minutes: number) => new Date(Date.parse(api.now()) + minutes * MINUTE_MS).toISOString();
    expect(await api.made(PATH, STAFF, { token })).toMatchObject({ expireOn: until(90) });
    const forEver = { plate: 'MKJ45', reason: 'x', expireOn: null };
    expect(await api.made(PATH, forEver, { token })).toMatchObject({ expireOn: null });
  });
});

describe('covering a visit', () => {
  it('covers the whole of it, at its site', async () => {
    const other = await api.addSite('Airport');
    const before = await api.changes(other);
    const visit = await api.visit({ plate: 'ABX12' });
    const entry = await api.made(`/visit/${visit.id}/whitelist`, { reason: 'Guest' });
    expect(entry).toMatchObject({
      plate: 'ABX12',
      type: 'visit',
      visitId: visit.id,
      siteId: api.site.id,
      reason: 'Guest',
    });
    expect(await api.lastChange()).toMatchObject({ item: { type: 'visit', visitId: visit.id } });
    expect(await api.changes(other)).toEqual(before);
    const again = await api.call('POST', `/visit/${visit.id}/whitelist`, { body: { reason: 'Guest' } });
    expect([again.status, again.body['id']]).toEqual([422, entry.id]);
    expect(await plates('?type=temporary')).toEqual(['ABX12']);
  });

  it('until a moment covers from the start', async () => {
    const visit = await api.visit();
    const body = { reason: 'Guest', expireOn: '2026-11-21T14:00:00Z' };
    expect(await api.made(`/visit/${visit.id}/whitelist`, body)).toMatchObject({
      type: 'time',
      visitId: null,
      activeFrom: visit.startedAt,
      expireOn: '2026-11-21T14:00:00.000Z',
    });
  });

  it('goes with the plate when that is corrected', async () => {
    const visit = await api.visit({ plate: 'ABX12' });
    const { id } = await api.made(`/visit/${visit.id}/whitelist`, { reason: 'Guest' });
    await api.call('PUT', `/visit/${visit.id}`, { body: { plate: 'ABX13' } });
    expect((await api.call('GET', `${PATH}/${id}`)).body['plate']).toBe('ABX13');
    expect((await api.changes()).slice(-2)).toMatchObject([
      { kind: 'visit-edit', item: { plate: 'ABX13' } },
      { kind: 'permit', id, item: { plate: 'ABX13' } },
    ]);
  });

  it('of an account with free time gives that much and no more', async () => {
    const customer = { customerId: 'c1', options: { 'free-parking-time': 120 } };
    const token = await api.account('customer', customer);
    const visit = await api.visit();
    const path = `/visit/${visit.id}/whitelist`;
    const call = (body: object) => api.call('POST', path, { token, body: { reason: 'Guest', ...body } });
    expect((await call({})).status).toBe(404);
    await api.giveVisit(visit.id, 'c1');
    expect((await call({ type: 'visit' })).body['messages']).toEqual([
      'type: your account gives 120 minutes of a visit, not the whole',
    ]);
    expect((await call({ expireOn: '2026-11-21T10:00:00.001Z' })).status).toBe(400);
    const given = await call({});
    expect(given.status).toBe(303);
    expect(given.body).toMatchObject({ type: 'time', expireOn: '2026-11-21T10:00:00.000Z' });
  });

  it.each([
    ['without a plate', { plate: null, status: 'need-plate' } as const, {}, 'The visit has no plate yet.'],
    ['that is completed', { status: 'completed' } as const, {}, 'The visit is completed.'],
    [
      'until before it began',
      {},
      { expireOn: '2026-11-21T07:00:00Z' },
      'expireOn: the end is after the start of the visit',
    ],
    ['for a time without an end', {}, { type: 'time' }, 'expireOn: an entry of type time has an end'],
  ])('%s is refused', async (_what, fields, body, message) => {
    const visit = await api.visit(fields);
    const answer = await api.call('POST', `/visit/${visit.id}/whitelist`, { body: { reason: 'x', ...body } });
    expect([answer.status, answer.body['messages']]).toEqual([400, [message]]);
  });

  it('that is not there is 404', async () => {
    expect((await api.call('POST', '/visit/none/whitelist', { body: { reason: 'x' } })).status).toBe(404);
  });
});
