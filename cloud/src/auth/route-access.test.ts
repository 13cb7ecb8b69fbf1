import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CloudEnv } from '../http/cloud-env.ts';
import { API_KEY, type CallOptions, createTestApi, type TestApi } from '../test-api.ts';
import { checkRouteAccess, mountedRoutes } from './check-route-access.ts';
import { ROUTE_ACCESS, type Who } from './route-access.ts';

let api: TestApi;
let callers: Record<Exclude<Who, 'anyone'>, CallOptions>;

beforeAll(async () => {
  api = await createTestApi();
  callers = {
    operator: { token: api.operator },
    customer: { token: await api.account('customer', { customerId: 'c1' }) },
    partner: { token: await api.account('partner', { customerId: 'c2' }) },
    whitelist: { token: await api.account('whitelist', { customerId: 'c3' }) },
    'kiosk-token': { token: await api.roleToken('kiosk') },
    'webhook-token': { token: await api.roleToken('webhook') },
    'whitelist-token': { token: await api.roleToken('whitelist') },
    'api-key': { token: null, headers: { 'x-api-key': API_KEY } },
    site: { token: `${api.site.id}.${api.site.secret}` },
  };
});
afterAll(() => api.close());

/** A call of that route that is well-formed as far as the path goes; what it asks for does not matter here. */
function callRoute(route: string, options: CallOptions) {
  const [method = '', path = ''] = route.split(' ');
  const body = method === 'POST' || method === 'PUT' ? { body: '{}' } : {};
  const target = path.replace(':id', 'nobody').replace(':file', 'swagger-ui.css');
  return api.call(method, target, { ...body, ...options });
}

describe('every route', () => {
  it('is in the access table, and every line of the table is a route', () => {
    expect(mountedRoutes(api.app).sort()).toEqual(Object.keys(ROUTE_ACCESS).sort());
  });

  it.each(Object.entries(ROUTE_ACCESS))('%s lets in just whom it names', async (route, allowed) => {
    const kinds = Object.keys(callers) as (keyof typeof callers)[];
    for (const kind of kinds) {
      // Signed out before the walk is over, it would stop the rest.
      if (route === 'DELETE /sites/:id/credentials' && kind === 'site') continue;
      const { status } = await callRoute(route, callers[kind]);
      if (allowed.includes('anyone') || allowed.includes(kind)) {
        expect([401, 403], `${kind} at ${route}`).not.toContain(status);
      } else {
        // An API key does not count where it is not asked for: its holder is nobody there.
        expect(status, `${kind} at ${route}`).toBe(kind === 'api-key' ? 401 : 403);
      }
    }
    const nobody = await callRoute(route, { token: null });
    expect(nobody.status === 401, `nobody at ${route}`).toBe(!allowed.includes('anyone'));
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
