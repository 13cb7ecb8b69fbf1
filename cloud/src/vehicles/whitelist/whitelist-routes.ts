import { nowUtc } from '@hlid/node/clock';
import { createRoute } from '@hono/zod-openapi';
import { actorOf, type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { refuse } from '../../platform/http/errors.ts';
import { IdParamSchema, jsonBody, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { EntryFiltersSchema, entryPath, entryRoutes, ShownEntrySchema, shownEntry } from './entry-routes.ts';
import { transferRoutes } from './transfer-routes.ts';
import { NewEntrySchema, VisitEntrySchema } from './whitelist-entry.ts';
import { whitelistVisit } from './whitelist-visit.ts';

const visitRoute = createRoute({
  method: 'post',
  path: '/visit/{id}/whitelist',
  tags: ['Visits', 'Whitelist'],
  summary: 'Create a temporary whitelist entry for a visit',
  request: { params: IdParamSchema, body: jsonBody(VisitEntrySchema) },
  responses: responses.write(ShownEntrySchema, 'Created'),
});

export function whitelistRoutes(context: CloudContext) {
  const { db, clock } = context;
  const router = createRouter();
  // This comes before the entries: `/visit/whitelist/export` would be the entry `export`.
  router.route('/', transferRoutes(context));
  router.route(
    '/',
    entryRoutes(context, {
      path: '/visit/whitelist',
      tags: ['Whitelist'],
      deprecated: false,
      Filters: EntryFiltersSchema,
      NewEntry: NewEntrySchema,
    }),
  );
  return router.openapi(visitRoute, async (c) => {
    const { id } = c.req.valid('param');
    const made = await whitelistVisit(db, actorOf(c, clock), id, c.req.valid('json'));
    if (!made.ok) return refuse(c, 'visit', made);
    const caller = callerOf(c, 'account');
    const shown = await db.read((q) => shownEntry(q, caller, nowUtc(clock), made.found));
    return c.json(shown, 303, { Location: entryPath(made.found) });
  });
}
