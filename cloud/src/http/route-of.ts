import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';

/** The route that a request has come to, with its name as in the access table; null where there is none. */
export function routeOf(c: Context): { path: string; name: string } | null {
  const route = matchedRoutes(c).find(({ method }) => method !== 'ALL');
  return route ? { path: route.path, name: `${route.method} ${route.path}` } : null;
}
