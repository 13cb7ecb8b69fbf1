import { inputMistakes } from '@hlid/protocol/base/mistakes/input-mistakes';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { CloudEnv } from './cloud-env.ts';
import { inputError } from './errors.ts';

/** A feature's routes: validated, described for OpenAPI, and refused in the one shape. */
export function createRouter(): OpenAPIHono<CloudEnv> {
  return new OpenAPIHono<CloudEnv>({
    defaultHook: (result, c) => (result.success ? undefined : inputError(c, ...inputMistakes(result.error))),
  });
}

/** The route that a request has come to, with its name as in the access table; null where there is none. */
export function routeOf(c: Context): { path: string; name: string } | null {
  const route = matchedRoutes(c).find(({ method }) => method !== 'ALL');
  return route ? { path: route.path, name: `${route.method} ${route.path}` } : null;
}
