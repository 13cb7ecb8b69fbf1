import { timingSafeEqual } from 'node:crypto';
import { Fault } from '@hlid/protocol/fault';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { LocalEnv } from './local-app.ts';
import { refuse, refuseKiosk } from './refusals.ts';

/**
 * Who may call a route:
 * - `anyone` on this machine: it changes nothing;
 * - `kiosk`: a change has to come from the page that this server delivers;
 * - `technician`: who has the key in the data folder. No page in a browser knows it: nobody's click moves a gate.
 */
type Caller = 'anyone' | 'kiosk' | 'technician';

/** Of every route but the files of the pages, which are for anyone. */
export const ROUTE_ACCESS: Readonly<Record<string, Caller>> = {
  'GET /health': 'anyone',
  'GET /metrics': 'anyone',
  'GET /api/lanes': 'anyone',
  'GET /api/devices': 'anyone',
  'GET /api/events': 'anyone',

  'POST /api/gates': 'technician',
  'POST /api/devices': 'technician',
  'POST /api/payments': 'technician',

  'GET /api/kiosk/site': 'kiosk',
  'GET /api/kiosk/visits': 'kiosk',
  'GET /api/kiosk/entries': 'kiosk',
  'GET /api/kiosk/visits/:visitId': 'kiosk',
  'GET /api/kiosk/visits/:visitId/picture': 'kiosk',
  'POST /api/kiosk/visits/:visitId/plate': 'kiosk',
  'POST /api/kiosk/visits/:visitId/not-mine': 'kiosk',
  'POST /api/kiosk/visits/:visitId/pay-link': 'kiosk',
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
export function requireAccess(secret: string): MiddlewareHandler<LocalEnv> {
  return async (c, next) => {
    if (!isLoopbackHost(c.req.header('host')))
      return refuse(c, 421, 'This server does not have that host name.');
    const caller = ROUTE_ACCESS[routeOf(c) ?? ''];
    if (caller === 'technician' && !hasSecret(c.req.header('authorization'), secret)) {
      return refuse(c, 401, 'This is for the technician’s tools on this machine.');
    }
    if (caller === 'kiosk' && c.req.method === 'HEAD') return refuseKiosk(c, 'bad-input', 'Use GET or POST.');
    if (caller === 'kiosk' && c.req.method === 'POST' && !isOwnPage(c)) {
      return refuseKiosk(c, 'bad-input', 'Send JSON (content-type: application/json), from this page.');
    }
    return await next();
  };
}

/** The methods that the table has for a path without parameters. */
export function methodsAt(path: string): string[] {
  return Object.keys(ROUTE_ACCESS).flatMap((route) => {
    const [method = '', routePath] = route.split(' ');
    return routePath === path ? [method] : [];
  });
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

/**
 * Whether a Host header names this machine itself, on whatever port (an SSH tunnel changes it). A page on the internet
 * whose name resolves to 127.0.0.1 (DNS rebinding) sends its own name.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host);
}

function hasSecret(authorization: string | undefined, secret: string): boolean {
  const sent = Buffer.from(authorization ?? '');
  const expected = Buffer.from(`Bearer ${secret}`);
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

/**
 * A page from another site can send a form here, though it cannot read the answer. For JSON a browser needs this server's
 * consent, and sends the page's origin.
 */
function isOwnPage(c: Context<LocalEnv>): boolean {
  if (!c.req.header('content-type')?.startsWith('application/json')) return false;
  const origin = c.req.header('origin');
  return origin === undefined || origin === `http://${c.req.header('host')}`;
}
