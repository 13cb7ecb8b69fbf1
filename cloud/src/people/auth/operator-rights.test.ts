import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, createTestApi, type Json, type TestApi } from '../../../test/api.ts';
import { LISTS, MAKES, SUMS, THINGS } from '../../../test/rows-of-sites.ts';
import { ACCOUNT_ROLES, PERMISSIONS } from '../../platform/http/caller.ts';
import { ROUTE_ACCESS, type RouteAccess, type SiteThing } from './route-access.ts';

const ROUTES = Object.entries(ROUTE_ACCESS);
const OPERATORS = ROUTES.flatMap(([route, { who, operators }]) =>
  who.includes('operator') && operators !== null ? [{ route, ...operators }] : [],
);
/** They end the session with which they are called. */
const ENDING = /(logout|DELETE \/session|GET \/events)$/;

let api: TestApi;
let otherSite: string;
let accounts = 0;
beforeAll(async () => {
  api = await createTestApi();
  otherSite = (await api.addSite('Airport')).id;
});
afterAll(() => api.close());

type Headers = Record<string, string>;

/** An operator with these rights, in a browser. */
async function operator(
  rights: Parameters<TestApi['account']>[1],
  steppedUpAt = api.now(),
): Promise<Headers> {
  accounts++;
  const id = `operator-${accounts}`;
  await api.account('operator', { ...rights, id });
  return await api.session(id, { steppedUpAt });
}

async function call(route: string, headers: Headers, id = 'nobody', body: Json = {}): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ');
  const filled = path.replace(':id', encodeURIComponent(id)).replaceAll(/:\w+/g, 'nobody');
  const sends = method === 'POST' || method === 'PUT';
  return await api.call(method, filled, { token: null, headers, ...(sends && { body }) });
}

const said = ({ body }: Answer) => String(body['messages']);

describe('the table of access', () => {
  it('says of every route that operators may call what they need there, and of no other', () => {
    const named = ROUTES.filter(([, { operators }]) => operators !== null).map(([route]) => route);
    const theirs = ROUTES.filter(([, { who }]) => who.includes('operator')).map(([route]) => route);
    expect(named).toEqual(theirs);
  });

  it('names a thing of a site only where the path has its id, and asks for own accounts only there', () => {
    for (const { route, needed, sites } of OPERATORS) {
      const path = route.split(' ')[1] ?? '';
      if (sites in THINGS) expect(path, route).toContain(':id');
      if (needed === 'own') expect(path, route).toMatch(/^\/accounts\/:id/);
    }
  });

  it.each([
    'POST /invoice/:id/refund',
    'POST /payments/:id/reverse',
    'POST /payments/:id/finding',
    'PUT /accounts/:id',
    'POST /accounts',
  ])('%s needs a fresh proof of an operator', (route) =>
    expect(ROUTE_ACCESS[route]?.stepUp).toBe('operators'),
  );

  it.each([
    'POST /admin/create-role-bearer-token',
    'POST /admin/create-photo-token',
    'POST /accounts/:id/logins',
    'DELETE /privacy/plates/:plate',
  ])('%s needs a fresh proof of an operator', (route) =>
    expect(ROUTE_ACCESS[route]?.stepUp).toBe('operators'),
  );
});

describe('permissions', () => {
  it.each(PERMISSIONS)(
    'an operator with %s alone is let in where that is needed, or nothing',
    async (one) => {
      let headers = await operator({ permissions: [one] });
      for (const { route, needed } of OPERATORS) {
        const answer = await call(route, headers);
        if (ENDING.test(route)) headers = await operator({ permissions: [one] });
        const either = needed === 'own' ? ['people'] : [needed].flat();
        const lacks = needed !== 'any' && !either.includes(one);
        const words = `Your account lacks the permission: ${either.join(' or ')}.`;
        expect([answer.status === 403 && said(answer) === words, route]).toEqual([lacks, route]);
        if (!lacks) expect(answer.status, route).not.toBe(401);
      }
    },
  );

  it('an operator without any looks after the own account, and gives it nothing', async () => {
    const id = 'bare';
    await api.account('operator', { id, permissions: [] });
    const headers = await api.session(id);
    expect((await call('GET /accounts/:id', headers, id)).body).toMatchObject({ id, permissions: [] });
    expect((await call('PUT /accounts/:id', headers, id, { name: 'Nýtt' })).status).toBe(303);
    for (const edit of [{ permissions: null }, { role: 'customer' }, { siteIds: [] }, { options: {} }]) {
      const answer = await call('PUT /accounts/:id', headers, id, edit);
      expect([answer.status, said(answer)]).toEqual([400, expect.stringContaining('permission people')]);
    }
  });

  it('an account made before, which says nothing of rights, has all', async () => {
    const headers = await operator({});
    for (const { route } of OPERATORS.filter(({ route }) => !ENDING.test(route))) {
      expect(said(await call(route, headers)), route).not.toMatch(/lacks the permission|every site/);
    }
  });

  it('no account gives, keeps or takes over what it does not have', async () => {
    const own = { permissions: ['people', 'visits'] as const, siteIds: [api.site.id] };
    const headers = await operator(own);
    const account = (more: Json) => ({ account: { role: 'operator', status: 'active', ...more } });
    const make = (more: Json) => call('POST /accounts', headers, '', account(more));
    const full = await make({});
    expect([full.status, said(full)]).toEqual([400, expect.stringMatching(/permissions: .*siteIds: /)]);
    expect((await make({ permissions: ['money'], siteIds: [api.site.id] })).status).toBe(400);
    expect((await make({ permissions: ['visits'], siteIds: [otherSite] })).status).toBe(400);
    const made = await make({ permissions: ['visits'], siteIds: [api.site.id] });
    expect(made.status).toBe(303);
    const id = String(made.body['id']);
    expect((await call('PUT /accounts/:id', headers, id, { permissions: null })).status).toBe(400);
    // An account that may do more cannot be changed, given a login or a password, logged out or deleted.
    const login = { email: 'chief@example.is', password: 'þrjár gular kýr' };
    const calls: [string, Json][] = [
      ['PUT /accounts/:id', { name: 'x' }],
      ['POST /accounts/:id/logins', login],
      ['PUT /accounts/:id/logins', { email: 'x@example.is', newAccountId: id }],
      ['GET /accounts/:id/tokens', {}],
      ['GET /accounts/:id/passkeys', {}],
      ['DELETE /accounts/:id/totp', {}],
      ['DELETE /accounts/:id', {}],
    ];
    for (const [route, body] of calls) {
      expect([route, (await call(route, headers, 'the-operator', body)).status]).toEqual([route, 403]);
    }
    expect((await call('DELETE /accounts/:id', headers, id)).status).toBe(204);
  });

  it.each(ACCOUNT_ROLES.filter((role) => role !== 'operator'))('a %s has none', async (role) => {
    const body = { account: { role, status: 'active', permissions: ['money'] } };
    expect(said(await api.call('POST', '/accounts', { body }))).toContain('only an operator has them');
  });

  it('the last operator who may do everything keeps that', async () => {
    const alone = await createTestApi();
    try {
      await alone.account('operator', { permissions: ['people'] });
      const edit = (body: Json) => alone.call('PUT', '/accounts/the-operator', { body });
      for (const body of [{ permissions: ['people'] }, { siteIds: [alone.site.id] }, { role: 'customer' }]) {
        expect(said(await edit(body))).toContain('last active operator');
      }
      await alone.account('operator', {});
      expect((await edit({ permissions: ['people'] })).status).toBe(303);
      expect((await alone.call('GET', '/visits')).status).toBe(401);
    } finally {
      await alone.close();
    }
  });
});

describe('sites', () => {
  const ofThings = OPERATORS.flatMap(({ route, sites }) => (isThing(sites) ? [{ route, thing: sites }] : []));

  it.each(ofThings)(
    '$route answers a $thing of another site as if it were not there',
    async ({ route, thing }) => {
      const headers = await operator({ siteIds: [api.site.id] });
      const other = await THINGS[thing](api, otherSite);
      const [hidden, none] = [await call(route, headers, other), await call(route, headers)];
      expect(hidden.status).toBe(404);
      if (none.status === 404) expect(none.body).toEqual(hidden.body);
      const own = await call(route, headers, await THINGS[thing](api, api.site.id));
      expect([404, 401, 403], said(own)).not.toContain(own.status);
      // It was there all the time.
      expect((await call(route, await operator({}), other)).status).not.toBe(404);
    },
  );

  it.each(OPERATORS.filter(({ sites }) => sites === 'all'))(
    '$route is for operators of every site',
    async ({ route }) => {
      const [some, every] = [await operator({ siteIds: [api.site.id] }), await operator({})];
      const answer = await call(route, some);
      expect([answer.status, said(answer)]).toEqual([403, expect.stringContaining('It is about every site')]);
      expect(said(await call(route, every))).not.toContain('every site');
    },
  );

  it('every list, sum and making of things of sites has its line', () => {
    const lines = [...Object.keys(LISTS), ...Object.keys(SUMS), ...Object.keys(MAKES)];
    const routes = OPERATORS.filter(({ sites }) => sites === 'filtered' || sites === 'named');
    // live-events.test.ts shows it of the stream.
    // import-file.test.ts shows it of the files of the books.
    const files = ['POST /visit/whitelist/import', 'POST /settlement-files', 'POST /bank-statements'];
    // bank-claims.test.ts shows it of claims, disputes.test.ts of disputes, collection.test.ts of files for collectors.
    const others = ['POST /claims', 'POST /disputes', 'POST /collection-files', 'GET /events'];
    expect([...lines, ...files, ...others].sort()).toEqual(routes.map(({ route }) => route).sort());
  });

  it.each(Object.entries(LISTS))('%s shows things of the own sites only', async (_route, { path, thing }) => {
    const thirdSite = (await api.addSite(`Third ${path}`)).id;
    const make = typeof thing === 'string' ? THINGS[thing] : thing;
    const [own, hidden] = [await make(api, api.site.id), await make(api, otherSite)];
    const third = await make(api, thirdSite);
    const text = async (siteIds: string[] | null) => {
      const headers = await operator({ siteIds });
      const response = await api.app.request(path, { headers });
      expect(response.status).toBe(200);
      return await response.text();
    };
    const [one, two, all] = [
      await text([api.site.id]),
      await text([api.site.id, thirdSite]),
      await text(null),
    ];
    const seen = (shown: string) => [own, third, hidden].map((id) => shown.includes(id));
    expect([seen(one), seen(two), seen(all)]).toEqual([
      [true, false, false],
      [true, true, false],
      [true, true, true],
    ]);
    expect(await text([])).not.toContain(own);
    const asked = await api.app.request(`${path}${path.includes('?') ? '&' : '?'}siteId=${otherSite}`, {
      headers: await operator({ siteIds: [api.site.id] }),
    });
    expect(await asked.text()).not.toContain(hidden);
  });

  it.each(Object.entries(SUMS))(
    '%s counts things of the own sites only',
    async (route, { path: given, thing }) => {
      const path = typeof given === 'string' ? given : given(api.site.id);
      const headers = await operator({ siteIds: [api.site.id] });
      const several = await operator({ siteIds: [api.site.id, (await api.addSite(`Sum ${route}`)).id] });
      const text = async (who: Headers) => await (await api.app.request(path, { headers: who })).text();
      const before = [await text(headers), await text(several)];
      const make = typeof thing === 'string' ? THINGS[thing] : thing;
      await make(api, otherSite);
      expect([await text(headers), await text(several)]).toEqual(before);
      await make(api, api.site.id);
      const after = [await text(headers), await text(several)];
      expect(after[0]).not.toBe(before[0]);
      expect(after[1]).not.toBe(before[1]);
    },
  );

  it.each(Object.entries(MAKES))(
    '%s makes nothing at another site, nor at all of them',
    async (route, bodyAt) => {
      const headers = await operator({ siteIds: [api.site.id] });
      for (const siteId of [otherSite, null, undefined]) {
        const answer = await call(route, headers, '', bodyAt(siteId));
        expect([answer.status, said(answer)]).toEqual([400, expect.stringContaining('siteId')]);
      }
      const own = await call(route, headers, '', bodyAt(api.site.id));
      expect([own.status, said(own)]).toEqual([303, 'undefined']);
    },
  );

  it('what is of every site is shown, and not changed', async () => {
    const headers = await operator({ siteIds: [api.site.id] });
    const everywhere = { plate: 'ALL123', reason: 'staff' };
    const { id } = await api.made('/visit/whitelist', everywhere);
    expect((await call('GET /visit/whitelist/:id', headers, id)).status).toBe(200);
    for (const route of ['PUT /visit/whitelist/:id', 'DELETE /visit/whitelist/:id', 'PUT /whitelist/:id']) {
      const answer = await call(route, headers, id, { reason: 'x' });
      expect([answer.status, said(answer)]).toEqual([403, expect.stringContaining('every site')]);
    }
  });

  it('nothing is moved to another site, and no line of a file gets there', async () => {
    const headers = await operator({ siteIds: [api.site.id] });
    for (const thing of ['camera', 'zone', 'whitelist-entry'] as const) {
      const id = await THINGS[thing](api, api.site.id);
      const route = thing === 'whitelist-entry' ? 'PUT /visit/whitelist/:id' : `PUT /${thing}s/:id`;
      expect((await call(route, headers, id, { siteId: otherSite })).status).toBe(400);
    }
    const file = `plate,reason,siteId\nAB123,x,${otherSite}\nAB124,x,\nAB125,x,${api.site.id}\n`;
    const answer = await api.call('POST', '/visit/whitelist/import', {
      token: null,
      body: file,
      headers: { ...headers, 'content-type': 'text/csv' },
    });
    expect(answer.body).toMatchObject({ added: 1, refused: [{ line: 2 }, { line: 3 }] });
  });

  it('no visit of another site is joined to one of the own', async () => {
    const headers = await operator({ siteIds: [api.site.id] });
    const [own, other] = [await THINGS.visit(api, api.site.id), await THINGS.visit(api, otherSite)];
    const answer = await call('POST /visit/:id/join', headers, own, { visitId: other, reason: 'one stay' });
    const none = await call('POST /visit/:id/join', headers, own, { visitId: 'nobody', reason: 'one stay' });
    expect([answer.status, answer.body]).toEqual([none.status, none.body]);
  });
});

function isThing(sites: NonNullable<RouteAccess['operators']>['sites']): sites is SiteThing {
  return sites in THINGS;
}

describe('a fresh proof', () => {
  const STALE_MS = 6 * MINUTE_MS;

  it.each(['operator', 'customer'] as const)(
    'is asked of a %s exactly where the table says so',
    async (role) => {
      const asks = ({ stepUp }: RouteAccess) =>
        stepUp === 'sessions' || (stepUp === 'operators' && role === 'operator');
      await api.account(role, { id: `fresh-${role}`, customerId: 'c1' });
      const earlier = api.now();
      api.wait(STALE_MS);
      const stale = await api.session(`fresh-${role}`, { steppedUpAt: earlier });
      const fresh = await api.session(`fresh-${role}`);
      const bearer = { authorization: `Bearer ${await api.renewed(`fresh-${role}`)}` };
      const theirs = ROUTES.filter(([route, { who }]) => who.includes(role) && !ENDING.test(route));
      for (const [route, access] of theirs) {
        const isAsked = async (headers: Headers) =>
          JSON.stringify((await call(route, headers, `fresh-${role}`)).body).includes('Step-up needed');
        if (asks(access)) expect([await isAsked(stale), route]).toEqual([true, route]);
        else expect([await isAsked(stale), route]).toEqual([false, route]);
      }
      for (const [route] of theirs.filter(([, access]) => asks(access))) {
        if (route.startsWith('DELETE /accounts')) continue;
        expect(JSON.stringify((await call(route, fresh)).body), route).not.toContain('Step-up needed');
        expect(JSON.stringify((await call(route, bearer)).body), route).not.toContain('Step-up needed');
      }
    },
  );
});
