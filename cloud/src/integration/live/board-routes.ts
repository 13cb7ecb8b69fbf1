import { createRoute } from '@hono/zod-openapi';
import { type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { IdParamSchema, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { actionsOfLanes } from '../../sites/gates/lane-actions.ts';
import { boardPresence, boardView, SiteBoardViewSchema } from './board-view.ts';

const boardRoute = createRoute({
  method: 'get',
  path: '/sites/{id}/lanes',
  tags: ['Lanes'],
  summary: 'Read what happens at the lanes of a site now',
  description:
    'The site is asked. If it is not connected, or does not answer within a second and a half, `board` is null. ' +
    'Pages that stay open stream it with `GET /events?board={id}`. The picture of a car is at ' +
    '`/photo/{photoId}/picture` once `picture` is `there`; the site sends it within seconds while it is connected.',
  request: { params: IdParamSchema },
  responses: responses.read(SiteBoardViewSchema, 'The board'),
});

/** The board of a site, once. */
export function boardRoutes({ db, boards }: Pick<CloudContext, 'db' | 'boards'>) {
  return createRouter().openapi(boardRoute, async (c) => {
    const { id } = c.req.valid('param');
    const presence = await db.read((q) => boardPresence(q, id));
    const received = presence.connected ? await boards.ask(id) : null;
    return c.json(boardView(presence, received, actionsOfLanes(callerOf(c, 'account'), id)), 200);
  });
}
