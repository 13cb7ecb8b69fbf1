import { createRoute } from '@hono/zod-openapi';
import { actorOf, type CloudContext } from '../../platform/http/cloud-env.ts';
import { notFound, refuseEdit } from '../../platform/http/errors.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { IdParamSchema, jsonBody, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { siteById } from '../../records/sites/choose-site.ts';
import { BookkeepingPlanEditSchema, BookkeepingPlanSchema, shownPlan } from './bookkeeping-plan.ts';
import { planOf, setPlan } from './change-plan.ts';

const tags = ['Books'];
const WHAT =
  'Each kind of posting is booked to the account of the line with its role and the most exact detail: first that of the ' +
  'site, then that of every site. Nothing is proposed, and nothing guessed: an export names what has no account.';

const getRoute = createRoute({
  method: 'get',
  path: '/bookkeeping-accounts',
  tags,
  summary: 'Get the accounts of the bookkeeping of every site',
  description: WHAT,
  responses: responses.read(BookkeepingPlanSchema, 'The accounts'),
});

const setRoute = createRoute({
  method: 'put',
  path: '/bookkeeping-accounts',
  tags,
  summary: 'Set the accounts of the bookkeeping of every site',
  description: WHAT,
  request: { body: jsonBody(BookkeepingPlanEditSchema) },
  responses: responses.edit(BookkeepingPlanSchema, 'Set'),
});

const getOfSiteRoute = createRoute({
  method: 'get',
  path: '/sites/{id}/bookkeeping-accounts',
  tags,
  summary: 'Get the accounts of the bookkeeping of a site',
  description: WHAT,
  request: { params: IdParamSchema },
  responses: responses.read(BookkeepingPlanSchema, 'The accounts'),
});

const setOfSiteRoute = createRoute({
  method: 'put',
  path: '/sites/{id}/bookkeeping-accounts',
  tags,
  summary: 'Set the accounts of the bookkeeping of a site',
  description: WHAT,
  request: { params: IdParamSchema, body: jsonBody(BookkeepingPlanEditSchema) },
  responses: responses.edit(BookkeepingPlanSchema, 'Set'),
});

/** The accounts of the bookkeeping. */
export function bookkeepingPlanRoutes({ db, clock }: Pick<CloudContext, 'db' | 'clock'>) {
  return createRouter()
    .openapi(getRoute, async (c) => {
      const plan = await db.read((q) => planOf(q, ''));
      return c.json(shownPlan(plan, null), 200, { ETag: etagOf(plan) });
    })
    .openapi(setRoute, async (c) => {
      const done = await setPlan(db, actorOf(c, clock), null, c.req.valid('json'));
      if (!done.ok) return refuseEdit(c, 'site', done);
      const headers = { Location: '/bookkeeping-accounts', ETag: etagOf(done.plan) };
      return c.json(shownPlan(done.plan, null), 303, headers);
    })
    .openapi(getOfSiteRoute, async (c) => {
      const { id } = c.req.valid('param');
      const found = await db.read(async (q) =>
        (await siteById(q, id)) === null
          ? null
          : { plan: await planOf(q, id), inherited: await planOf(q, '') },
      );
      if (found === null) return notFound(c, 'site');
      return c.json(shownPlan(found.plan, found.inherited), 200, { ETag: etagOf(found.plan) });
    })
    .openapi(setOfSiteRoute, async (c) => {
      const { id } = c.req.valid('param');
      const done = await setPlan(db, actorOf(c, clock), id, c.req.valid('json'));
      if (!done.ok) return refuseEdit(c, 'site', done);
      const headers = { Location: `/sites/${id}/bookkeeping-accounts`, ETag: etagOf(done.plan) };
      return c.json(shownPlan(done.plan, done.inherited), 303, headers);
    });
}
