import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, API_KEY, type CallOptions, createTestApi, type TestApi } from '../../../test/api.ts';
import { ACCOUNT_ROLES } from '../../platform/http/caller.ts';
import type { CloudEnv } from '../../platform/http/cloud-env.ts';
import { checkRouteAccess, mountedRoutes } from './require-access.ts';
import { ROUTE_ACCESS, type Who } from './route-access.ts';
import { issueToken } from './tokens.ts';

type BearerWho = Exclude<Who, 'anyone' | 'location-token' | 'photo-token'>;
/** By which a caller comes: the manager of these tests is a partner too. */
const namesOf = (who: Who): Who[] => (who === 'staff-manager' ? [who, 'partner'] : [who]);
const isRole = (who: Who) => namesOf(who).some((one) => ACCOUNT_ROLES.some((role) => role === one));
/** Whether a route requires that callers without a token come from a page of this cloud. */
const isForPages = (route: string) => /^(POST|DELETE) \/session/.test(route);

let api: TestApi;
let callers: Record<BearerWho, CallOptions>;
let photoToken: string;

beforeAll(async () => {
  api = await createTestApi();
  callers = await makeCallers();
  photoToken = await api.photoToken('a-camera');
});
afterAll(() => api.close());

async function makeCallers(): Promise<typeof callers> {
  return {
    operator: { token: await api.account('operator') },
    customer: { token: await api.account('customer', { customerId: 'c1' }) },
    partner: { token: await api.account('partner', { customerId: 'c2' }) },
    'staff-manager': {
      token: await api.account('partner', { customerId: 'c4', options: { managesStaff: true } }),
    },
    whitelist: { token: await api.account('whitelist', { customerId: 'c3' }) },
    'recovering-account': { token: await recoveringToken() },
    'kiosk-token': { token: await api.roleToken('kiosk') },
    'webhook-token': { token: await api.roleToken('webhook') },
    'broker-token': { token: await api.roleToken('broker') },
    'whitelist-token': { token: await api.roleToken('whitelist') },
    'unproven-session': {
      token: null,
      headers: await api.session('the-operator', { scope: 'second-factor' }),
    },
    'enrolling-session': { token: null, headers: await api.session('the-operator', { scope: 'enrol' }) },
    driver: { token: (await api.driver()).token },
    'api-key': { token: null, headers: { 'x-api-key': API_KEY } },
    site: { token: `${api.site.id}.${api.site.secret}` },
  };
}

/** A token of an operator who has forgotten the password: even an operator may do nothing else now. */
async function recoveringToken(): Promise<string> {
  const life = { from: api.now(), until: null };
  const holder = {
    accountId: 'the-operator',
    deviceUuid: null,
    loginId: 'a-login',
    scope: 'password',
  } as const;
  return await api.db.write(async ({ q }) => (await issueToken(q, holder, life)).token);
}

/** The path of a route, filled in; what is not there does not matter here. */
function pathOf(route: string): string {
  const [, path = ''] = route.split(' ');
  return path.replace(':file', 'swagger-ui.css').replaceAll(/:\w+/g, 'nobody');
}

/** A call of that route that is well-formed as far as the path goes. */
function callRoute(route: string, options: CallOptions, query = ''): Promise<Answer> {
  const [method = ''] = route.split(' ');
  const body = method === 'POST' || method === 'PUT' ? { body: '{}' } : {};
  return api.call(method, `${pathOf(route)}${query}`, { ...body, ...options });
}

describe('every route', () => {
  it('is in the access table, and every line of the table is a route', () => {
    expect(mountedRoutes(api.app).sort()).toEqual(Object.keys(ROUTE_ACCESS).sort());
  });

  it.each(Object.entries(ROUTE_ACCESS))(
    '%s lets in just whom it names',
    async (route, { who: allowed, stepUp }) => {
      const kinds = Object.keys(callers) as BearerWho[];
      for (const kind of kinds) {
        // Signed out before the walk is over, it would stop the rest.
        if (route === 'DELETE /sites/:id/credentials' && kind === 'site') continue;
        const { status } = await callRoute(route, callers[kind]);
        const isBearer = isRole(kind) && stepUp === 'sessions';
        const isForeign = kind === 'api-key' && isForPages(route);
        if (
          !isBearer &&
          !isForeign &&
          (allowed.includes('anyone') || namesOf(kind).some((one) => allowed.includes(one)))
        ) {
          expect([401, 403], `${kind} at ${route}`).not.toContain(status);
        } else {
          // An API key counts only where it is expected: elsewhere its holder is unknown.
          expect(status, `${kind} at ${route}`).toBe(kind === 'api-key' && !isForeign ? 401 : 403);
        }
      }
      // Their tokens are no longer valid.
      if (/\/(logout|erase|session)$/.test(route)) callers = await makeCallers();
      const nobody = await callRoute(route, { token: null });
      const isRefused = nobody.status === (isForPages(route) ? 403 : 401);
      expect(isRefused, `nobody at ${route}`).toBe(!allowed.includes('anyone') || isForPages(route));
    },
  );

  it.each(Object.entries(ROUTE_ACCESS))(
    '%s reads a token in the query only if it says so',
    async (route, { who: allowed }) => {
      const here = await api.locationToken(pathOf(route));
      const elsewhere = await api.locationToken('/somewhere/else');
      const byQuery = async (query: string) => (await callRoute(route, { token: null }, query)).status;
      if (allowed.includes('anyone')) return;
      const refused = isForPages(route) ? 403 : 401;
      if (allowed.includes('location-token')) {
        expect([401, 403]).not.toContain(await byQuery(`?access_token=${here}`));
        expect(await byQuery(`?access_token=${elsewhere}`)).toBe(403);
        expect(await byQuery(`?access_token=${photoToken}`)).toBe(401);
      } else {
        expect(await byQuery(`?access_token=${here}`)).toBe(refused);
      }
      if (allowed.includes('photo-token')) {
        expect([401, 403]).not.toContain(await byQuery(`?token=${photoToken}`));
        expect(await byQuery(`?token=${here}`)).toBe(401);
      } else {
        expect(await byQuery(`?token=${photoToken}`)).toBe(refused);
      }
      // A token for a query is no bearer token, and the other way round.
      expect((await callRoute(route, { token: here })).status).toBe(401);
      expect((await callRoute(route, { token: photoToken })).status).toBe(401);
      expect(await byQuery(`?token=${api.operator}&access_token=${api.operator}`)).toBe(refused);
    },
  );

  it('that takes the token of an address only reads', () => {
    const routes = Object.keys(ROUTE_ACCESS).filter((route) =>
      ROUTE_ACCESS[route]?.who.includes('location-token'),
    );
    expect(routes.filter((route) => !route.startsWith('GET '))).toEqual([]);
  });

  it('refuses before it looks at the input', async () => {
    const refused = await api.call('POST', '/products', { token: null, body: '{"pr' });
    expect(refused.status).toBe(401);
  });
});

it('an app whose routes are not all in the table does not start', () => {
  const app = new Hono<CloudEnv>();
  for (const route of Object.keys(ROUTE_ACCESS)) {
    const [method = '', path = ''] = route.split(' ');
    app.on(method, path, (c) => c.text(''));
  }
  checkRouteAccess(app);
  app.get('/secret', (c) => c.text('free for all'));
  expect(() => checkRouteAccess(app)).toThrow('disagree');
});

describe('a bearer token', () => {
  it.each([
    ['no token', null],
    ['a wrong token', 'nonsense'],
    ['a wrong site secret', 'some-site.wrong'],
    ['an empty site secret', 'some-site.'],
  ])('%s is refused with 401 and messages', async (_what, token) => {
    const answer = await api.call('GET', '/visits', { token });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({
      exception: { message: 'Must authenticate' },
      messages: [expect.stringContaining('Log in')],
      codes: [{ code: 'not-logged-in', path: [], params: {} }],
    });
  });

  it('in another form than Bearer is none', async () => {
    const answer = await api.call('GET', '/visits', {
      token: null,
      headers: { authorization: `Basic ${api.operator}` },
    });
    expect(answer.status).toBe(401);
  });
});
