import { createRoute } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { actorOf, type CloudEnv, type CoreContext, callerOf } from '../../platform/http/cloud-env.ts';
import { conflict, notFound, REFUSALS, refusal, refuse } from '../../platform/http/errors.ts';
import { wholeList } from '../../platform/http/list-envelope.ts';
import {
  IdParamSchema,
  json,
  jsonBody,
  READ_REFUSALS,
  responses,
} from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { endRollout, pauseRollout, resumeRollout, retrySite, startRollout } from './change-rollouts.ts';
import { findRollout, findRollouts } from './find-rollouts.ts';
import {
  RetryBodySchema,
  RolloutBodySchema,
  RolloutSchema,
  rolloutFor,
  ShownRolloutSchema,
} from './rollout-view.ts';

const tags = ['Rollouts'];

const listRoute = createRoute({
  method: 'get',
  path: '/rollouts',
  tags,
  summary: 'List rollouts, newest first',
  responses: responses.list(RolloutSchema, 'The newest 50 rollouts'),
});

const startRoute = createRoute({
  method: 'post',
  path: '/rollouts',
  tags,
  summary: 'Start a rollout: upgrade sites ring by ring',
  description:
    'The rings are those of the sites (`upgradeRing`). A ring is over when no connected site of it is under way any more, and at least one ' +
    'runs the version. When it has worked for `soakHours`, the next one begins. A site that goes back or is stuck pauses the rollout, and so ' +
    'does a ring without a single site that runs the version. `rollout.changed` comes with `GET /events`.',
  request: { body: jsonBody(RolloutBodySchema) },
  responses: {
    ...responses.write(ShownRolloutSchema, 'Started'),
    409: refusal('Another rollout is not over, or there is no package of this version'),
  },
});

const readRoute = createRoute({
  method: 'get',
  path: '/rollouts/{id}',
  tags,
  summary: 'Get a rollout with its sites',
  request: { params: IdParamSchema },
  responses: responses.read(ShownRolloutSchema, 'The rollout'),
});

const changed = {
  200: { description: 'The rollout', content: json(ShownRolloutSchema) },
  ...REFUSALS.input,
  ...READ_REFUSALS,
  ...REFUSALS.alreadyThere,
  409: refusal('The rollout is over'),
};

const pauseRoute = createRoute({
  method: 'post',
  path: '/rollouts/{id}/pause',
  tags,
  summary: 'Pause a rollout; sites that install go on',
  request: { params: IdParamSchema },
  responses: changed,
});

const resumeRoute = createRoute({
  method: 'post',
  path: '/rollouts/{id}/resume',
  tags,
  summary: 'Resume a rollout, without the sites that failed',
  request: { params: IdParamSchema },
  responses: changed,
});

const endRoute = createRoute({
  method: 'post',
  path: '/rollouts/{id}/end',
  tags,
  summary: 'End a rollout; orders are withdrawn, and sites that install go on',
  request: { params: IdParamSchema },
  responses: changed,
});

const retryRoute = createRoute({
  method: 'post',
  path: '/rollouts/{id}/retry',
  tags,
  summary: 'Give a site another order, if it refused, went back, is stuck or was skipped',
  request: { params: IdParamSchema, body: jsonBody(RetryBodySchema) },
  responses: { ...changed, 409: refusal('The rollout is over, or the site is not to be retried') },
});

/** Upgrades of the sites, ring by ring. */
export function rolloutRoutes({ db, clock }: CoreContext) {
  return createRouter()
    .openapi(listRoute, async (c) => c.json(wholeList(await db.read(findRollouts)), 200))
    .openapi(startRoute, async (c) => {
      const started = await startRollout(db, actorOf(c, clock), c.req.valid('json'));
      if (!started.ok) return refuseRollout(c, started);
      return c.json(rolloutFor(callerOf(c, 'account'), started.rollout), 303, {
        Location: `/rollouts/${started.rollout.id}`,
      });
    })
    .openapi(readRoute, async (c) => {
      const rollout = await db.read((q) => findRollout(q, c.req.valid('param').id));
      return rollout === null
        ? notFound(c, 'rollout')
        : c.json(rolloutFor(callerOf(c, 'account'), rollout), 200);
    })
    .openapi(pauseRoute, async (c) => {
      return answerChange(c, await pauseRollout(db, actorOf(c, clock), c.req.valid('param').id));
    })
    .openapi(resumeRoute, async (c) => {
      return answerChange(c, await resumeRollout(db, actorOf(c, clock), c.req.valid('param').id));
    })
    .openapi(endRoute, async (c) => {
      return answerChange(c, await endRollout(db, actorOf(c, clock), c.req.valid('param').id));
    })
    .openapi(retryRoute, async (c) => {
      const { siteId } = c.req.valid('json');
      const { id } = c.req.valid('param');
      return answerChange(c, await retrySite(db, actorOf(c, clock), id, siteId));
    });
}

type Changed = Awaited<ReturnType<typeof startRollout>>;

function answerChange(c: Context<CloudEnv>, changed: Changed) {
  return changed.ok
    ? c.json(rolloutFor(callerOf(c, 'account'), changed.rollout), 200)
    : refuseRollout(c, changed);
}

function refuseRollout(c: Context<CloudEnv>, refused: Extract<Changed, { ok: false }>) {
  return refused.reason === 'conflict' ? conflict(c, refused.mistake) : refuse(c, 'rollout', refused);
}
