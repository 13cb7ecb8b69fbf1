import { timingSafeEqual } from 'node:crypto';
import { Fault } from '@hlid/protocol/base/fault';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { LocalEnv } from './local-env.ts';
import { type AccessPoint, isOwnPage } from './on-site-access.ts';
import { refuse, refuseKiosk } from './refusals.ts';

/**
 * Who may call a route:
 * - `anyone` on this machine: it changes nothing;
 * - `kiosk`: a change must come from the page that this server delivers;
 * - `viewer`: the lanes, with plates: on this machine anyone, from the network who has typed the PIN;
 * - `actor`: moves gates, from the lanes page only: on this machine anyone (or with the PIN), from the
 *   network with the PIN;
 * - `own-page`: the lanes page itself;
 * - `technician`: who has the key in the data folder. No page in a browser knows it.
 */
type Caller = 'anyone' | 'viewer' | 'actor' | 'own-page' | 'kiosk' | 'technician';

/** The callers of every route, except for the files of the pages, which are open to anyone. */
export const ROUTE_ACCESS: Readonly<Record<string, Caller>> = {
  'GET /health': 'anyone',
  'GET /metrics': 'anyone',
  'GET /api/lanes': 'viewer',
  'GET /api/devices': 'viewer',
  'GET /api/events': 'viewer',

  'GET /api/pictures/:readId': 'viewer',
  'GET /api/access': 'anyone',
  'POST /api/access': 'own-page',
  'DELETE /api/access': 'own-page',
  'POST /api/lanes/:laneId/commands': 'actor',
  'POST /api/codes': 'actor',

  'POST /api/gates': 'technician',
  'POST /api/devices': 'technician',
  'POST /api/payments': 'technician',
  'POST /api/upgrade': 'technician',

  'GET /api/kiosk/site': 'kiosk',
  'GET /api/kiosk/visits': 'kiosk',
  'GET /api/kiosk/entries': 'kiosk',
  'GET /api/kiosk/visits/:visitId': 'kiosk',
  'GET /api/kiosk/visits/:visitId/picture': 'kiosk',
  'POST /api/kiosk/visits/:visitId/plate': 'kiosk',
  'POST /api/kiosk/visits/:visitId/not-mine': 'kiosk',
  'POST /api/kiosk/visits/:visitId/pay-link': 'kiosk',
  'POST /api/kiosk/visits/:visitId/code': 'kiosk',
  'POST /api/kiosk/screen/:pictureId': 'kiosk',
  'POST /api/kiosk/help': 'kiosk',
  'GET /api/kiosk/help/:callId': 'kiosk',
  'POST /api/kiosk/payments': 'kiosk',
  'GET /api/kiosk/payments/:paymentId': 'kiosk',
  'GET /api/kiosk/payments/:paymentId/events': 'kiosk',
  'GET /api/kiosk/payments/:paymentId/receipt': 'kiosk',
  'POST /api/kiosk/payments/:paymentId/cancel': 'kiosk',
  'POST /api/kiosk/payments/:paymentId/mail': 'kiosk',
};

/** Lets through who may call the route. @param secret the technician's key */
export function requireAccess(secret: string, accessPoint: AccessPoint): MiddlewareHandler<LocalEnv> {
  return async (c, next) => {
    if (!accessPoint.isOwnHost(c)) return refuse(c, 421, 'This server does not have that host name.');
    const caller = ROUTE_ACCESS[routeOf(c) ?? ''];
    if ((caller === 'actor' || caller === 'own-page') && !isOwnPage(c)) {
      return refuse(c, 403, 'Only the lanes page of this server may do this.');
    }
    const isKnown =
      (caller !== 'viewer' || accessPoint.viewLeftMs(c) > 0) && (caller !== 'actor' || accessPoint.mayAct(c));
    if (!isKnown) return c.json({ code: 'pin-needed', messages: ['This needs the PIN.'] }, 401);
    if (caller === 'technician' && !hasSecret(c.req.header('authorization'), secret)) {
      return refuse(c, 401, 'This is for the technician’s tools on this machine.');
    }
    if (caller === 'kiosk' && c.req.method === 'HEAD') return refuseKiosk(c, 'bad-input', 'Use GET or POST.');
    if (caller === 'kiosk' && c.req.method === 'POST' && !isKioskPage(c)) {
      return refuseKiosk(c, 'bad-input', 'Send JSON (content-type: application/json), from this page.');
    }
    return await next();
  };
}

/** Throws Fault `config-invalid` for a route that is missing in the table. */
export function checkRouteAccess(app: Hono<LocalEnv>): void {
  const routes = app.routes.filter(({ method }) => method !== 'ALL');
  const missing = routes
    .map(({ method, path }) => `${method} ${path}`)
    .filter((route) => !ROUTE_ACCESS[route]);
  if (missing.length > 0) throw new Fault('config-invalid', `not in the access table: ${missing.join(', ')}`);
}

function routeOf(c: Context<LocalEnv>): string | null {
  const route = matchedRoutes(c).find(({ method }) => method !== 'ALL');
  return route ? `${route.method} ${route.path}` : null;
}

function hasSecret(authorization: string | undefined, secret: string): boolean {
  const sent = Buffer.from(authorization ?? '');
  const expected = Buffer.from(`Bearer ${secret}`);
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

/** A request of a kiosk's own page. Its shell sends it without an origin. */
function isKioskPage(c: Context<LocalEnv>): boolean {
  if (!c.req.header('content-type')?.startsWith('application/json')) return false;
  const origin = c.req.header('origin');
  return origin === undefined || origin === `http://${c.req.header('host')}`;
}
