import { OpenAPIHono } from '@hono/zod-openapi';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { checkRouteAccess } from './auth/check-route-access.ts';
import { loginRoutes } from './auth/login-routes.ts';
import { requireAccess } from './auth/require-access.ts';
import { cameraRoutes } from './cameras/camera-routes.ts';
import { docsRoutes } from './docs/docs-routes.ts';
import type { CloudContext, CloudEnv } from './http/cloud-env.ts';
import { noSuchRoute, onError } from './http/errors.ts';
import { requestLog } from './http/request-log.ts';
import { securityHeaders } from './http/security-headers.ts';
import { pingRoutes } from './ping/ping-routes.ts';
import { productRoutes } from './products/product-routes.ts';
import { edgeRoutes } from './sites/edge-routes.ts';
import { siteRoutes } from './sites/site-routes.ts';
import { visitRoutes } from './visits/visit-routes.ts';
import { whitelistRoutes } from './whitelist/whitelist-routes.ts';
import { zoneRoutes } from './zones/zone-routes.ts';

/** No body of the API is near that. */
const MAX_BODY_BYTES = 1024 * 1024;

/** The cloud's HTTP API: every room, in the order in which a car passes through them. */
export function createApp(context: CloudContext): OpenAPIHono<CloudEnv> {
  const app = new OpenAPIHono<CloudEnv>();
  app.onError(onError(context.log));
  app.notFound(noSuchRoute);
  app.use(requestLog(context.log));
  app.use(securityHeaders());
  app.use(requireAccess(context));
  app.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () => {
        throw new HTTPException(413, { message: `A body has at most ${MAX_BODY_BYTES} bytes.` });
      },
    }),
  );

  app.route('/', pingRoutes(context));
  app.route(
    '/',
    docsRoutes(() => app),
  );
  app.route('/', loginRoutes(context));
  app.route('/', siteRoutes(context));
  app.route('/', edgeRoutes(context));
  app.route('/', cameraRoutes(context));
  app.route('/', zoneRoutes(context));
  // Before visits: `/visit/whitelist` would be the visit `whitelist`.
  app.route('/', whitelistRoutes(context));
  app.route('/', visitRoutes(context));
  app.route('/', productRoutes(context));

  checkRouteAccess(app);
  return app;
}
