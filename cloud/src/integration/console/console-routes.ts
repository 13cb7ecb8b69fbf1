import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Context, Hono } from 'hono';
import { pageAssets, pageDocument, sendFile } from '../../platform/http/built-page.ts';
import type { CloudEnv } from '../../platform/http/cloud-env.ts';
import { noSuchRoute } from '../../platform/http/errors.ts';
import { createRouter } from '../../platform/http/router.ts';
import { WORKSPACE } from '../../platform/workspace.ts';

/** The built page. The same distance from `src` and from `dist`. */
export const CONSOLE_FOLDER = fileURLToPath(new URL('console/dist-page/', WORKSPACE));

const NOT_BUILT = `The console is not built. Run "npm run -w @hlid/console build-page", then start the cloud again.
`;

/** Stands in the document for a number that is used once. */
const NONCE = '%HLID_NONCE%';

/**
 * The console at `/console/`: one document for all its addresses, which is anonymous, so that links in mails lead into it.
 * What it shows comes by the API's own calls, with the session.
 */
export function consoleRoutes(folder = CONSOLE_FOLDER): Hono<CloudEnv> {
  const page = pageDocument(folder);
  const assets = pageAssets(folder);
  const show = (c: Context<CloudEnv>) => {
    if (page === null) return c.text(NOT_BUILT, 503);
    const nonce = randomBytes(16).toString('base64url');
    return c.body(page.replace(NONCE, nonce), 200, documentHeaders(nonce));
  };
  const router = createRouter();
  router.get('/console/assets/:file', (c) => {
    const asset = assets.get(c.req.param('file'));
    return asset ? sendFile(c, asset) : noSuchRoute(c);
  });
  router.get('/console', show);
  router.get('/console/*', show);
  return router;
}

function documentHeaders(nonce: string): Record<string, string> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': consolePolicy(nonce),
    // A new version has other files.
    'Cache-Control': 'no-cache',
    'X-Robots-Tag': 'noindex, nofollow',
  };
}

/**
 * The content policy: only the two style sheets of the components, with the nonce, are inline; nothing comes
 * from other origins.
 */
export function consolePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}
