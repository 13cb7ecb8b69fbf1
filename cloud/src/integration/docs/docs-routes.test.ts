import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { ROUTE_ACCESS } from '../../people/auth/route-access.ts';
import { openApiText } from './openapi-document.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

const OperationSchema = z.looseObject({
  summary: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  responses: z.record(z.string(), z.unknown()),
});
const DocumentSchema = z.looseObject({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.record(z.string(), OperationSchema)),
  components: z.looseObject({
    schemas: z.record(z.string(), z.unknown()),
    securitySchemes: z.record(z.string(), z.unknown()),
  }),
});

describe('openapi.json', () => {
  it('is checked in as the routes are now; npm run -w @hlid/cloud openapi writes it', () => {
    const checkedIn = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8');
    expect(openApiText(api.app)).toBe(checkedIn);
  });

  it('describes every route but its own pages, with who may call it', async () => {
    const { body } = await api.call('GET', '/openapi.json', { token: null });
    const { paths } = DocumentSchema.parse(body);
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    const routes = Object.keys(ROUTE_ACCESS).filter(
      (route) => !/ \/($|docs|openapi|(console|pay)(\/|$)|\.well-known\/)/.test(route),
    );
    expect(described.sort()).toEqual(routes.sort());
  });

  it('says how each may be refused', async () => {
    const { body } = await api.call('GET', '/openapi.json');
    const { paths } = DocumentSchema.parse(body);
    for (const [path, item] of Object.entries(paths)) {
      for (const [method, { responses, security }] of Object.entries(item)) {
        expect(Object.keys(responses), `${method} ${path}`).toContain('500');
        if (security.length > 0) expect(Object.keys(responses), `${method} ${path}`).toContain('401');
      }
    }
  });

  it('leads to nothing that is not in it', async () => {
    const { body } = await api.call('GET', '/openapi.json');
    const { schemas } = DocumentSchema.parse(body).components;
    const named = [...JSON.stringify(body).matchAll(/#\/components\/schemas\/([\w-]+)/g)].map(
      ([, name]) => name,
    );
    expect(named.length).toBeGreaterThan(20);
    expect([...new Set(named)].filter((name) => name === undefined || !(name in schemas))).toEqual([]);
  });
});

describe('/docs', () => {
  it('is a page that loads from this server only', async () => {
    const first = await api.app.request('/');
    expect([first.status, first.headers.get('location')]).toEqual([302, '/docs']);
    const page = await api.app.request('/docs');
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const loaded = [...html.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)].map(
      ([, url]) => url ?? '',
    );
    expect(loaded).toContain('/docs/reference.js');
    for (const url of loaded.filter((url) => url !== 'data:,')) {
      expect((await api.app.request(url)).status, url).toBe(200);
    }
  });

  it('has every call, schema and link in one page', async () => {
    const html = await (await api.app.request('/docs')).text();
    const { body } = await api.call('GET', '/openapi.json');
    const { paths, components } = DocumentSchema.parse(body);
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    for (const name of Object.keys(components.schemas)) expect(ids).toContain(`schema-${name}`);
    const calls = Object.values(paths).flatMap((item) => Object.values(item));
    expect(html.match(/<article id="[^"]+" class="call">/g)).toHaveLength(calls.length);
    const leadNowhere = [...html.matchAll(/href="#([^"]+)"/g)]
      .map(([, id]) => id)
      .filter((id) => !ids.has(id ?? ''));
    expect(leadNowhere).toEqual([]);
  });

  it.each(['/docs/package.json', '/docs/..%2fpackage.json', '/docs/constructor'])(
    'serves no other file: %s',
    async (path) => {
      expect((await api.call('GET', path, { token: null })).status).toBe(404);
    },
  );
});
