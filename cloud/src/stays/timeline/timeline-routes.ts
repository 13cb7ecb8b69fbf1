import { nowUtc } from '@hlid/node/clock';
import { createRoute } from '@hono/zod-openapi';
import { ownRows } from '../../platform/http/caller.ts';
import { type CoreContext, callerOf } from '../../platform/http/cloud-env.ts';
import { notFound } from '../../platform/http/errors.ts';
import { IdParamSchema, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { TimelineSchema } from './timeline.ts';
import { visitTimeline } from './visit-timeline.ts';

const timelineRoute = createRoute({
  method: 'get',
  path: '/visit/{id}/timeline',
  tags: ['Visits'],
  summary: 'Get everything that happened in a visit: reads, decisions, gate, money, mail and edits',
  request: { params: IdParamSchema },
  responses: responses.read(TimelineSchema, 'The timeline'),
});

export function timelineRoutes({ db, clock }: CoreContext) {
  return createRouter().openapi(timelineRoute, async (c) => {
    const { id } = c.req.valid('param');
    const own = ownRows(callerOf(c, 'account'));
    const timeline = await db.read((q) => visitTimeline(q, id, own, nowUtc(clock)));
    return timeline === null ? notFound(c, 'visit') : c.json(timeline, 200);
  });
}
