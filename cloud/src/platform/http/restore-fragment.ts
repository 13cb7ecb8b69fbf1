import type { MiddlewareHandler } from 'hono';
import type { CloudEnv } from './cloud-env.ts';

/** Pages with a secret behind `#` in their links, which no server sees. */
const PAGES = /^\/(?:pay(?!\/api\/)|recover|console)(?![\w-])/;
const ESCAPED = /%23/i;

/**
 * Some scanners of QR codes and mail programs send the `#` of a link as `%23`, so the secret comes here as a
 * part of the path or of a query. The browser is redirected to the intended address. This runs before the
 * request log, which keeps no secrets.
 */
export function restoreFragment(): MiddlewareHandler<CloudEnv> {
  return async (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    const address = pathname + search;
    if (c.req.method !== 'GET' || !PAGES.test(pathname) || !ESCAPED.test(address)) return await next();
    const headers = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };
    return c.body(null, 302, { ...headers, Location: address.replace(ESCAPED, '#') });
  };
}
