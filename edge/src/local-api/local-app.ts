import { KIOSK_PATHS } from '@hlid/protocol/pages/kiosk-paths';
import { MAX_SCREEN_PICTURE } from '@hlid/protocol/pages/kiosk-screen';
import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Logger } from 'pino';
import { LOG_EVENTS } from '../base/events.ts';
import type { LocalEnv } from './local-env.ts';
import type { AccessPoint } from './on-site-access.ts';
import { refuse, refuseKiosk } from './refusals.ts';
import { checkRouteAccess, requireAccess } from './route-access.ts';

export const KIOSK_ROOT = '/api/kiosk/';
const MAX_BODY_BYTES = 4096;
/** A picture of the kiosk's screen in JSON. */
const MAX_SCREEN_BYTES = MAX_SCREEN_PICTURE + MAX_BODY_BYTES;
const SCREEN_ROOT = KIOSK_PATHS.screen.replace(':pictureId', '');

/**
 * The headers of every answer. The pages contain all they need, and no other page may show them in a frame.
 */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; " +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  // Plates are personal data. Files of the pages have their own.
  'cache-control': 'no-store',
};

interface AppParts {
  /** The technician's key. */
  secret: string;
  accessPoint: AccessPoint;
  pages?: MiddlewareHandler<LocalEnv>;
  /** Whether the car park is simulated: every page marks itself then. */
  isTraining: () => boolean;
  log: Logger;
}

/**
 * These routes, behind what every request passes. Throws Fault `config-invalid` for a route without an entry in
 * `ROUTE_ACCESS`.
 */
export function createApp(
  routes: readonly Hono<LocalEnv>[],
  { secret, accessPoint, pages, isTraining, log }: AppParts,
): Hono<LocalEnv> {
  const app = new Hono<LocalEnv>();
  app.use(async (c, next) => {
    for (const [name, value] of Object.entries(HEADERS)) c.env.outgoing.setHeader(name, value);
    if (isTraining()) c.env.outgoing.setHeader('hlid-training', 'yes');
    await next();
  });
  app.use(requireAccess(secret, accessPoint));
  app.use(limitBodies());
  if (pages) app.use(pages);
  for (const some of routes) app.route('/', some);
  app.notFound((c) => {
    const { path, method } = c.req;
    if (path.startsWith(KIOSK_ROOT)) {
      if (method === 'GET' || method === 'POST') return refuseKiosk(c, 'not-found');
      return refuseKiosk(c, 'bad-input', 'Use GET or POST.');
    }
    const methods = app.routes.flatMap((route) =>
      route.path === path && route.method !== 'ALL' ? [route.method] : [],
    );
    if (methods.length === 0) return refuse(c, 404, 'There is nothing here.');
    const allowed = methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])).join(', ');
    c.header('allow', allowed);
    return refuse(c, 405, `Use ${allowed}.`);
  });
  app.onError((err, c) => {
    log.error({ event: LOG_EVENTS.boardRequestFailed, err });
    return refuse(c, 500, 'This could not be answered. The reason is in the log.');
  });
  checkRouteAccess(app);
  return app;
}

function limitBodies(): MiddlewareHandler<LocalEnv> {
  const limit = (maxSize: number): MiddlewareHandler<LocalEnv> => {
    const message = `The body is longer than ${maxSize} bytes.`;
    return bodyLimit({
      maxSize,
      onError: (c) =>
        c.req.path.startsWith(KIOSK_ROOT) ? refuseKiosk(c, 'bad-input', message) : refuse(c, 400, message),
    });
  };
  const limitAll = limit(MAX_BODY_BYTES);
  const limitScreen = limit(MAX_SCREEN_BYTES);
  return (c, next) => (c.req.path.startsWith(SCREEN_ROOT) ? limitScreen(c, next) : limitAll(c, next));
}
