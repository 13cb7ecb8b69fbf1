import { nowUtc } from '@hlid/node/clock';
import { createRoute } from '@hono/zod-openapi';
import { type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { REFUSALS } from '../../platform/http/errors.ts';
import { json } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { FirstStepsSchema, readFirstSteps } from './first-steps.ts';
import { bringBack, putAway } from './first-steps-store.ts';

const tags = ['First steps'];

const getRoute = createRoute({
  method: 'get',
  path: '/first-steps',
  tags,
  summary: 'Get what a new installation still needs',
  description:
    'Each step is computed from what there is: the second factor of the caller’s login, sites and their opening, products, ' +
    'operators, the last mail and the last backup. Only steps that the caller can do are listed.',
  responses: {
    200: { description: 'The steps, in order', content: json(FirstStepsSchema) },
    ...REFUSALS.auth,
  },
});

const putAwayRoute = createRoute({
  method: 'post',
  path: '/first-steps/put-away',
  tags,
  summary: 'Put the first steps away, for the own account',
  responses: { 204: { description: 'Put away' }, ...REFUSALS.auth },
});

const bringBackRoute = createRoute({
  method: 'delete',
  path: '/first-steps/put-away',
  tags,
  summary: 'Bring the first steps back, for the own account',
  responses: { 204: { description: 'Back' }, ...REFUSALS.auth },
});

/** The first steps of a new installation. */
export function firstStepsRoutes(
  context: Pick<CloudContext, 'db' | 'clock' | 'installation' | 'accessPoints'>,
) {
  const { db, clock } = context;
  return createRouter()
    .openapi(getRoute, async (c) => {
      const caller = callerOf(c, 'account');
      return c.json(await db.read((q) => readFirstSteps(q, context, caller, nowUtc(clock))), 200);
    })
    .openapi(putAwayRoute, async (c) => {
      const { accountId } = callerOf(c, 'account');
      await db.write(({ q }) => putAway(q, accountId, nowUtc(clock)));
      return c.body(null, 204);
    })
    .openapi(bringBackRoute, async (c) => {
      const { accountId } = callerOf(c, 'account');
      await db.write(({ q }) => bringBack(q, accountId));
      return c.body(null, 204);
    });
}
