import type { OpenAPIHono } from '@hono/zod-openapi';
import type { CloudEnv } from '../../platform/http/cloud-env.ts';
import { createRouter } from '../../platform/http/router.ts';
import { openApiDocument } from './openapi-document.ts';
import { REFERENCE_SCRIPT, REFERENCE_STYLE } from './reference-assets.ts';
import { referencePage } from './reference-page.ts';

/** No other host, nothing inline. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `/openapi.json`, and the page at `/docs` that shows it, without a request to anywhere else; `/` leads there. */
export function docsRoutes(describedApp: () => OpenAPIHono<CloudEnv>): OpenAPIHono<CloudEnv> {
  const router = createRouter();
  let document: string | undefined;
  let page: string | undefined;
  router.get('/openapi.json', (c) => {
    document ??= JSON.stringify(openApiDocument(describedApp()));
    return c.body(document, 200, { 'Content-Type': 'application/json' });
  });
  // The bare address leads to the documentation.
  router.get('/', (c) => c.redirect('/docs'));
  router.get('/docs', async (c) => {
    page ??= String(await referencePage(openApiDocument(describedApp())));
    return c.html(page, 200, { 'Content-Security-Policy': POLICY });
  });
  router.get('/docs/reference.css', (c) => c.body(REFERENCE_STYLE, 200, asset('text/css')));
  router.get('/docs/reference.js', (c) => c.body(REFERENCE_SCRIPT, 200, asset('text/javascript')));
  return router;
}

function asset(type: string) {
  return { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'public, max-age=3600' };
}
