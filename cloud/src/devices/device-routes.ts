import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import type { CloudEnv, CoreContext } from '../http/cloud-env.ts';
import { notFound } from '../http/errors.ts';
import { listOf, wholeList } from '../http/list-envelope.ts';
import { IdParamSchema, json, READ_REFUSALS } from '../http/route-schemas.ts';
import { createRouter } from '../http/router.ts';
import { siteAwaySince } from '../sites/site-list.ts';
import { DeviceSchema } from './device.ts';
import { devicesOfSite } from './site-devices.ts';

const listRoute = createRoute({
  method: 'get',
  path: '/sites/{id}/devices',
  tags: ['Sites'],
  summary: 'How each device of a site is, and how it was',
  request: { params: IdParamSchema },
  responses: {
    200: { description: 'The devices by kind and name', content: json(listOf(DeviceSchema)) },
    ...READ_REFUSALS,
  },
});

export function deviceRoutes({ db }: CoreContext): OpenAPIHono<CloudEnv> {
  return createRouter().openapi(listRoute, async (c) => {
    const { id } = c.req.valid('param');
    const devices = await db.read(async (q) => {
      const away = await siteAwaySince(q, id);
      return away === undefined ? null : await devicesOfSite(q, id, away);
    });
    return devices === null ? notFound(c, 'site') : c.json(wholeList(devices), 200);
  });
}
