import { Fault } from '@hlid/protocol/fault';
import type { Hono } from 'hono';
import type { CloudEnv } from '../http/cloud-env.ts';
import { ROUTE_ACCESS } from './route-access.ts';

/** Every mounted route as the access table names it. */
export function mountedRoutes(app: Hono<CloudEnv>): string[] {
  const routes = app.routes.filter(({ method }) => method !== 'ALL');
  return [...new Set(routes.map(({ method, path }) => `${method} ${path}`))];
}

/** Throws Fault `config-invalid` unless the app's routes and the access table name the same. */
export function checkRouteAccess(app: Hono<CloudEnv>): void {
  const mounted = mountedRoutes(app);
  const listed = Object.keys(ROUTE_ACCESS);
  const unlisted = mounted.filter((route) => !listed.includes(route));
  const unmounted = listed.filter((route) => !mounted.includes(route));
  if (unlisted.length + unmounted.length === 0) return;
  throw new Fault('config-invalid', 'the routes and their access table disagree', {
    details: { unlisted, unmounted },
  });
}
