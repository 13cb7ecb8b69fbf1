import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { etagOf, isStale } from './etag.ts';

describe('isStale', () => {
  const row = { id: 'a', count: 1 };
  const other = etagOf({ ...row, count: 2 });
  it.each([
    ['no header', undefined, false],
    ['its version', etagOf(row), false],
    ['its version with keys in another order', etagOf({ count: 1, id: 'a' }), false],
    ['any version', '*', false],
    ['several with its own', `${other}, ${etagOf(row)}`, false],
    ['another version', other, true],
    ['a weak tag, which never matches', `W/${etagOf(row)}`, true],
    ['nonsense', 'yes', true],
    ['nothing', '', true],
  ])('%s', (_what, ifMatch, stale) => expect(isStale({ ifMatch }, row)).toBe(stale));
});

describe('an update with If-Match', () => {
  let api: TestApi;
  beforeEach(async () => {
    api = await createTestApi();
  });
  afterEach(() => api.close());

  const made: Record<string, () => Promise<string>> = {
    zone: async () => `/zones/${String((await api.made('/zones', { name: 'Roof', settings: {} }))['id'])}`,
    site: async () => `/sites/${api.site.id}`,
    'accounts of the bookkeeping': async () => '/bookkeeping-accounts',
    'accounts of a site': async () => `/sites/${api.site.id}/bookkeeping-accounts`,
    customer: async () =>
      `/customer/${String((await api.made('/customers', { customer: { name: 'Anna', language: 'is' } }))['id'])}`,
    permit: async () => {
      const body = {
        plate: 'AB123',
        type: 'time',
        expireOn: '2030-01-01T00:00:00Z',
        siteId: api.site.id,
        reason: 'Guest',
      };
      return `/visit/whitelist/${String((await api.made('/visit/whitelist', body))['id'])}`;
    },
    visit: async () => {
      const body = { plate: 'AB123', siteId: api.site.id, startedOn: api.now() };
      return `/visit/${String((await api.made('/visits', body))['id'])}`;
    },
  };
  const edits: Record<string, [object, object]> = {
    zone: [{ name: 'Cellar' }, { name: 'Yard' }],
    site: [{ name: 'North' }, { name: 'South' }],
    'accounts of the bookkeeping': [planOf('1100'), planOf('1200')],
    'accounts of a site': [planOf('1100'), planOf('1200')],
    customer: [{ name: 'Anna B' }, { name: 'Anna C' }],
    permit: [{ plate: 'CD456' }, { plate: 'EF789' }],
    visit: [{ plate: 'CD456' }, { plate: 'EF789' }],
  };

  it.each(Object.keys(made))('%s: the second of two people is refused and changes nothing', async (what) => {
    const path = (await made[what]?.()) ?? '';
    const [first = {}, second = {}] = edits[what] ?? [];
    const read = await api.call('GET', path);
    const tag = read.headers.get('etag') ?? '';
    const change = async (body: object, ifMatch: string) =>
      await api.call('PUT', path, { body, headers: { 'if-match': ifMatch } });

    const changed = await change(first, tag);
    expect(changed.status).toBe(303);
    const late = await change(second, tag);
    expect(late.status).toBe(412);
    expect(late.body['exception']).toEqual({ message: 'Precondition failed' });

    const now = await api.call('GET', path);
    expect(now.body).toMatchObject(first);
    expect(now.headers.get('etag')).toBe(changed.headers.get('etag'));
    expect((await change(second, now.headers.get('etag') ?? '')).status).toBe(303);
  });

  it('lets one of many at the same time through', async () => {
    const path = (await made['zone']?.()) ?? '';
    const tag = (await api.call('GET', path)).headers.get('etag') ?? '';
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        api.call('PUT', path, { body: { name: `Zone ${n}` }, headers: { 'if-match': tag } }),
      ),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([303, ...Array.from({ length: 9 }, () => 412)]);
  });
});

function planOf(account: string) {
  return { lines: [{ role: 'income', detail: null, account, vatCode: null }], datev: null };
}
