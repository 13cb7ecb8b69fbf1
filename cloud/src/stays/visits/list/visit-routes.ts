import { nowUtc } from '@hlid/node/clock';
import { createRoute, z } from '@hono/zod-openapi';
import { locationTokenQuery } from '../../../people/auth/query-tokens.ts';
import { ownRows, readableRows } from '../../../platform/http/caller.ts';
import { type CloudContext, callerOf } from '../../../platform/http/cloud-env.ts';
import { notFound, REFUSALS } from '../../../platform/http/errors.ts';
import { jsonAnswer, jsonList, TextCursorParamSchema } from '../../../platform/http/list-envelope.ts';
import {
  IdParamSchema,
  json,
  LIST_REFUSALS,
  READ_REFUSALS,
  responses,
} from '../../../platform/http/route-schemas.ts';
import { createRouter } from '../../../platform/http/router.ts';
import { sumAmounts } from './aggregate-visits.ts';
import { countListed } from './due-visits.ts';
import { priceTrace } from './price-trace.ts';
import { AggregateBySchema, type VisitCount, VisitCountSchema, VisitListSchema } from './visit-aggregate.ts';
import { VisitQuerySchema } from './visit-filters.ts';
import { visitPage } from './visit-page.ts';
import { PriceTraceSchema } from './visit-price.ts';
import { readVisitQuery } from './visit-query.ts';
import { VisitWithHistorySchema } from './visit-view.ts';
import { visitWithHistory } from './visit-with-history.ts';

const tags = ['Visits'];

const listRoute = createRoute({
  method: 'get',
  path: '/visits',
  tags,
  summary: 'List visits, newest first unless `order` says otherwise',
  request: {
    query: VisitQuerySchema.extend({ aggregate: AggregateBySchema, next: TextCursorParamSchema.optional() }),
  },
  responses: { 200: { description: 'Visits', content: json(VisitListSchema) }, ...LIST_REFUSALS },
});

const countRoute = createRoute({
  method: 'get',
  path: '/visits/counts',
  tags,
  summary: 'Count visits, and sum what they owe and have paid',
  request: { query: VisitQuerySchema },
  responses: { 200: { description: 'The totals', content: json(VisitCountSchema) }, ...LIST_REFUSALS },
});

const getRoute = createRoute({
  method: 'get',
  path: '/visit/{id}',
  tags,
  summary: 'Get a visit with its history',
  request: { params: IdParamSchema, query: z.strictObject(locationTokenQuery) },
  responses: {
    200: { description: 'The visit', content: json(VisitWithHistorySchema) },
    ...REFUSALS.input,
    ...READ_REFUSALS,
  },
});

const priceRoute = createRoute({
  method: 'get',
  path: '/visit/{id}/price',
  tags,
  summary: 'Explain the price of a visit',
  request: { params: IdParamSchema },
  responses: responses.read(PriceTraceSchema, 'The price now, or at its end'),
});

const ALL = -1;
const NO_VISITS: VisitCount = { count: 0, due: {}, paid: {}, summed: 0 };

export function visitRoutes(context: CloudContext) {
  const { db, clock } = context;
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { next: cursor, aggregate, ...query } = c.req.valid('query');
      const own = ownRows(callerOf(c, 'account'));
      const page = await db.read((q) => visitPage(q, query, own, nowUtc(clock), { cursor, aggregate }));
      return jsonAnswer(c, jsonList(page));
    })
    .openapi(countRoute, async (c) => {
      const query = c.req.valid('query');
      const own = ownRows(callerOf(c, 'account'));
      const totals = await db.read(async (q) => {
        const question = await readVisitQuery(q, query, own, nowUtc(clock));
        if (question === null) return NO_VISITS;
        const count = await countListed(q, question, nowUtc(clock), ALL);
        return { count, ...(await sumAmounts(q, question, nowUtc(clock))) };
      });
      return c.json(totals, 200);
    })
    .openapi(getRoute, async (c) => {
      const { id } = c.req.valid('param');
      const caller = callerOf(c, 'account', 'role', 'location');
      const reader = { caller, own: readableRows(caller), at: nowUtc(clock) };
      const found = await db.read((q) => visitWithHistory(q, context, id, reader));
      return found === null ? notFound(c, 'visit') : c.json(found.visit, 200, { ETag: found.etag });
    })
    .openapi(priceRoute, async (c) => {
      const { id } = c.req.valid('param');
      const own = readableRows(callerOf(c, 'account', 'role'));
      const trace = await db.read((q) => priceTrace(q, id, own, nowUtc(clock)));
      return trace === null ? notFound(c, 'visit') : c.json(trace, 200);
    });
}
