import type { MiddlewareHandler } from 'hono';
import type { CloudEnv } from './cloud-env.ts';

const PREFERENCE = /(?:^|[,;\s])return\s*=\s*"?representation"?\s*(?:$|[,;])/i;

/**
 * `Prefer: return=representation` (RFC 7240) asks for 200 with the resource where create and update answer 303. A browser
 * follows a 303 by itself, so a page never sees the body of it.
 */
export function preferRepresentation(): MiddlewareHandler<CloudEnv> {
  return async (c, next) => {
    await next();
    // The body of a response without a change stays as it is: to read it here builds a stream.
    if (c.res.status !== 303 || !PREFERENCE.test(c.req.header('Prefer') ?? '')) return;
    const { headers, body } = c.res;
    const location = headers.get('Location');
    const shown = new Response(body, { status: 200, headers });
    shown.headers.delete('Location');
    if (location !== null) shown.headers.set('Content-Location', location);
    shown.headers.set('Preference-Applied', 'return=representation');
    c.res = undefined;
    c.res = shown;
  };
}
