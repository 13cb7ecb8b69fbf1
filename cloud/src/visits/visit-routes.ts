import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { type OwnRows, ownRows } from '../auth/caller.ts';
import type { Queries } from '../db/db.ts';
import { actorOf } from '../http/actor-of.ts';
import { type CloudContext, type CloudEnv, callerOf } from '../http/cloud-env.ts';
import {
  IdParamSchema,
  json,
  jsonBody,
  LIST_REFUSALS,
  READ_REFUSALS,
  WRITE_REFUSALS,
} from '../http/described.ts';
import { notFound, refuse } from '../http/errors.ts';
import { CursorParamSchema, listOf, readPage, wholeList } from '../http/list-envelope.ts';
import { createRouter } from '../http/router.ts';
import { seeOther } from '../http/see-other.ts';
import { editVisit } from './edit-visit.ts';
import { VisitEditSchema } from './visit-edit.ts';
import { VisitQuerySchema } from './visit-filters.ts';
import { readVisitQuery, rowsOnPage } from './visit-query.ts';
import { countVisits, findVisit, listVisits, visitSteps } from './visit-store.ts';
import {
  type FoundVisit,
  historyFrom,
  VisitViewSchema,
  VisitWithHistorySchema,
  visitFrom,
} from './visit-view.ts';

const tags = ['Visits'];

const listRoute = createRoute({
  method: 'get',
  path: '/visits',
  tags,
  summary: 'Visits, newest first',
  request: { query: VisitQuerySchema.extend({ next: CursorParamSchema.optional() }) },
  responses: { 200: { description: 'Visits', content: json(listOf(VisitViewSchema)) }, ...LIST_REFUSALS },
});

const CountSchema = z
  .strictObject({ count: z.int().min(0) })
  .meta({ id: 'VisitCount', example: { count: 42 } });

const countRoute = createRoute({
  method: 'get',
  path: '/visits/counts',
  tags,
  summary: 'How many visits there are',
  request: { query: VisitQuerySchema },
  responses: { 200: { description: 'All of them', content: json(CountSchema) }, ...LIST_REFUSALS },
});

const getRoute = createRoute({
  method: 'get',
  path: '/visit/{id}',
  tags,
  summary: 'One visit, with its history',
  request: { params: IdParamSchema },
  responses: { 200: { description: 'The visit', content: json(VisitWithHistorySchema) }, ...READ_REFUSALS },
});

const editRoute = createRoute({
  method: 'put',
  path: '/visit/{id}',
  tags,
  summary: 'Correct a visit: its plate, its status, how it is settled',
  request: { params: IdParamSchema, body: jsonBody(VisitEditSchema) },
  responses: { ...seeOther(VisitWithHistorySchema, 'Corrected'), ...WRITE_REFUSALS },
});

const ALL = -1;

export function visitRoutes({ db, clock }: CloudContext): OpenAPIHono<CloudEnv> {
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { next: cursor, ...query } = c.req.valid('query');
      const own = ownRows(callerOf(c, 'account'));
      const page = await db.read(async (q) => {
        const question = await readVisitQuery(q, query, own);
        if (question === null) return wholeList<FoundVisit>([]);
        return await readPage(
          { cursor, rows: rowsOnPage(query) },
          ({ visit, rank }: FoundVisit) => ({ rank, at: visit.startedAt, id: visit.id }),
          (limit) => listVisits(q, question, { cursor, limit }),
          () => countVisits(q, question.filters),
        );
      });
      return c.json({ ...page, data: page.data.map(visitFrom) }, 200);
    })
    .openapi(countRoute, async (c) => {
      const query = c.req.valid('query');
      const own = ownRows(callerOf(c, 'account'));
      const count = await db.read(async (q) => {
        const question = await readVisitQuery(q, query, own);
        return question === null ? 0 : await countVisits(q, question.filters, ALL);
      });
      return c.json({ count }, 200);
    })
    .openapi(getRoute, async (c) => {
      const { id } = c.req.valid('param');
      const own = ownRows(callerOf(c, 'account'));
      const visit = await db.read((q) => visitWithHistory(q, id, own));
      return visit === null ? notFound(c, 'visit') : c.json(visit, 200);
    })
    .openapi(editRoute, async (c) => {
      const { id } = c.req.valid('param');
      const actor = actorOf(c, clock);
      const edited = await editVisit(db, actor, id, c.req.valid('json'));
      if (!edited.ok) return refuse(c, 'visit', edited);
      const visit = await db.read((q) => visitWithHistory(q, id, ownRows(actor.caller)));
      return visit === null ? notFound(c, 'visit') : c.json(visit, 303, { Location: `/visit/${id}` });
    });
}

async function visitWithHistory(q: Queries, id: string, own: OwnRows) {
  const found = await findVisit(q, id, own);
  if (found === null) return null;
  return { ...visitFrom(found), history: historyFrom(await visitSteps(q, id)) };
}
