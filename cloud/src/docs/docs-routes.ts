import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { CloudEnv } from '../http/cloud-env.ts';
import { noSuchRoute } from '../http/errors.ts';
import { createRouter } from '../http/router.ts';
import { openApiDocument } from './openapi-document.ts';

/** No other host, no inline script. Swagger UI sets styles on its elements, and draws its icons from data. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Hlið API</title>
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="docs"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

/** What the page loads, from the package of Swagger UI. */
const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

/** `/openapi.json`, and the pages at `/docs` that show it, without a request to anywhere else; `/` leads there. */
export function docsRoutes(describedApp: () => OpenAPIHono<CloudEnv>): OpenAPIHono<CloudEnv> {
  const router = createRouter();
  let document: string | undefined;
  router.get('/openapi.json', (c) => {
    document ??= JSON.stringify(openApiDocument(describedApp()));
    return c.body(document, 200, { 'Content-Type': 'application/json' });
  });
  // Who comes by the address alone sees what there is.
  router.get('/', (c) => c.redirect('/docs'));
  router.get('/docs', (c) => c.html(PAGE, 200, { 'Content-Security-Policy': POLICY }));
  router.get('/docs/:file', async (c) => {
    const file = c.req.param('file');
    if (file === 'start.js') return c.body(START, 200, { 'Content-Type': 'text/javascript; charset=utf-8' });
    const contentType = Object.hasOwn(FILES, file) ? FILES[file] : undefined;
    if (contentType === undefined) return noSuchRoute(c);
    return c.body(await readDocsFile(file), 200, {
      'Content-Type': contentType,
      'Cache-Control': 'public, max-age=3600',
    });
  });
  return router;
}

const require = createRequire(import.meta.url);
const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));

async function readDocsFile(file: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(join(SWAGGER_UI, file)));
}
