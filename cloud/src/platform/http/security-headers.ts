import type { MiddlewareHandler } from 'hono';
import type { CloudEnv } from './cloud-env.ts';

const HEADERS: readonly (readonly [string, string])[] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  // Takes effect only behind TLS; browsers pass over it otherwise.
  ['Strict-Transport-Security', 'max-age=15552000; includeSubDomains'],
];

/** Answers of the API show nothing in a browser and are not cached; pages bring their own policy. */
export function securityHeaders(): MiddlewareHandler<CloudEnv> {
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    for (const [name, value] of HEADERS) headers.set(name, value);
    if (!headers.has('Content-Security-Policy')) {
      headers.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    }
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
  };
}
