import { nowUtc } from '@hlid/node/clock';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import {
  EDGE_UPGRADE_PATH,
  EdgeUpgradeAnswerSchema,
  EdgeUpgradeReportSchema,
} from '@hlid/protocol/site-link/edge-upgrade';
import { createRoute, z } from '@hono/zod-openapi';
import { byteRange } from '../../platform/http/byte-range.ts';
import { type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { errorBody, notFound, REFUSALS, refusal } from '../../platform/http/errors.ts';
import { json, jsonBody, READ_REFUSALS } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { answerSite, packageOfOrder } from './answer-site.ts';
import { PACKAGE_CONTENT_TYPE, packageFileName } from './package-files.ts';

const tags = ['Edge'];

/** Typed as text, so that the handler may answer a stream. */
const PACKAGE: string = PACKAGE_CONTENT_TYPE;
const PACKAGE_CONTENT = { [PACKAGE]: { schema: { type: 'string' as const, format: 'binary' } } };

const reportRoute = createRoute({
  method: 'post',
  path: EDGE_UPGRADE_PATH,
  tags,
  summary: 'Report the version and the upgrade of the site, and get its order',
  request: { body: jsonBody(EdgeUpgradeReportSchema) },
  responses: {
    200: { description: 'The order', content: json(EdgeUpgradeAnswerSchema) },
    ...REFUSALS.input,
    ...REFUSALS.auth,
  },
});

const packageRoute = createRoute({
  method: 'get',
  path: `${EDGE_UPGRADE_PATH}/{orderId}/package`,
  tags,
  summary: 'Get the package of an order, or a byte range of it',
  request: { params: z.object({ orderId: z.uuid() }) },
  responses: {
    200: { description: 'The package', content: PACKAGE_CONTENT },
    206: { description: 'The range of `Range`', content: PACKAGE_CONTENT },
    416: refusal('The package ends before `Range`'),
    ...REFUSALS.input,
    ...READ_REFUSALS,
  },
});

/** The routes on which sites ask for their orders and get the packages. */
export function siteUpgradeRoutes({ db, clock, packages }: Pick<CloudContext, 'db' | 'clock' | 'packages'>) {
  return createRouter()
    .openapi(reportRoute, async (c) => {
      const { siteId } = callerOf(c, 'site');
      const asking = { siteId, report: c.req.valid('json'), now: nowUtc(clock) };
      return c.json(await answerSite(db, asking), 200);
    })
    .openapi(packageRoute, async (c) => {
      const { siteId } = callerOf(c, 'site');
      const { orderId } = c.req.valid('param');
      const row = await db.read((q) => packageOfOrder(q, siteId, orderId));
      if (row === null) return notFound(c, 'upgrade-order');
      const tag = `"${row.sha256}"`;
      const ifRange = c.req.header('if-range');
      const asked = ifRange === undefined || ifRange === tag ? c.req.header('range') : undefined;
      const range = byteRange(asked, row.bytes);
      if (range === null) return c.json(BEYOND, 416, { 'Content-Range': `bytes */${row.bytes}` });
      const part = range === 'all' ? null : range;
      const headers = {
        'Accept-Ranges': 'bytes',
        'Cache-Control': 'private, no-store',
        ETag: tag,
        'Content-Type': PACKAGE,
        'Content-Length': String(part === null ? row.bytes : part.to - part.from + 1),
        ...(part && { 'Content-Range': `bytes ${part.from}-${part.to}/${row.bytes}` }),
      };
      const status = part === null ? 200 : 206;
      if (c.req.method === 'HEAD') return c.body(null, status, headers);
      const stored = await packages.get(packageFileName(row), part ?? undefined);
      return stored === null ? notFound(c, 'upgrade-order') : c.body(stored.body, status, headers);
    });
}

const BEYOND = errorBody('Range not satisfiable', mistake('range-beyond', 'Range'));
