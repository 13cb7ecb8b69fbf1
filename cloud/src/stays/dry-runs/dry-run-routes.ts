import { nowUtc } from '@hlid/node/clock';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { ownRows } from '../../platform/http/caller.ts';
import { type CloudContext, type CloudEnv, callerOf } from '../../platform/http/cloud-env.ts';
import { conflict, notFound, REFUSALS, refuse } from '../../platform/http/errors.ts';
import { PAGE_ROWS, wholeList } from '../../platform/http/list-envelope.ts';
import {
  IdParamSchema,
  jsonBody,
  responses,
  seeOther,
  WRITE_REFUSALS,
} from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { beginDryRun, cancelRun, ownRun, type RunOwner, seesRun } from './begin-dry-run.ts';
import { NewDryRunSchema, RunSchema, RunVisitSchema, runFrom, runVisitFrom } from './dry-run.ts';
import { countRunVisits, runsOfAccount, runVisits } from './run-store.ts';
import { MAX_KEPT } from './scan-dry-run.ts';

const tags = ['Products'];

const beginRoute = createRoute({
  method: 'post',
  path: '/products/dry-run',
  tags,
  summary: 'Price the past visits of a product by a draft of it',
  description:
    'Visits that ended in the period and were priced by the product are priced again, by the versions that priced ' +
    'them and by the draft, with their permits and quotas and before payments. Nothing about them is changed. Visits ' +
    'that were let off count with no amount. An account has one run at a time. Runs are deleted after a week.',
  request: { body: jsonBody(NewDryRunSchema) },
  responses: { ...seeOther(RunSchema, 'Begun'), ...WRITE_REFUSALS, ...REFUSALS.conflict },
});

const listRoute = createRoute({
  method: 'get',
  path: '/runs',
  tags,
  summary: 'List the caller’s own runs, newest first',
  request: { query: z.strictObject({}) },
  responses: responses.list(RunSchema, 'Runs'),
});

const getRoute = createRoute({
  method: 'get',
  path: '/runs/{id}',
  tags,
  summary: 'Get a run of the caller, with its progress and what it has found so far',
  request: { params: IdParamSchema },
  responses: responses.read(RunSchema, 'The run'),
});

const visitsRoute = createRoute({
  method: 'get',
  path: '/runs/{id}/visits',
  tags,
  summary: 'List the visits of a run with the largest differences',
  description: `The ${MAX_KEPT} largest of each direction are kept.`,
  request: {
    params: IdParamSchema,
    query: z.strictObject({
      direction: z.enum(['more', 'less']).describe('Those that would pay more by the draft, or less.'),
      next: z.coerce
        .number()
        .int()
        .min(0)
        .max(MAX_KEPT)
        .optional()
        .openapi({ type: 'integer', description: '`next` or `previous` of an answer.' }),
    }),
  },
  responses: { ...responses.list(RunVisitSchema, 'Visits'), ...REFUSALS.notFound },
});

const cancelRoute = createRoute({
  method: 'post',
  path: '/runs/{id}/cancel',
  tags,
  summary: 'Cancel a run; what it has found so far stays',
  request: { params: IdParamSchema },
  responses: { ...seeOther(RunSchema, 'Cancelled'), ...WRITE_REFUSALS, ...REFUSALS.conflict },
});

export function dryRunRoutes({ db, clock }: CloudContext) {
  return createRouter()
    .openapi(beginRoute, async (c) => {
      const begun = await beginDryRun(db, ownerOf(c), c.req.valid('json'), nowUtc(clock));
      if (begun.ok) return c.json(runFrom(begun.run), 303, { Location: `/runs/${begun.run.id}` });
      return begun.reason === 'conflict' ? conflict(c, begun.mistake) : refuse(c, 'product', begun);
    })
    .openapi(listRoute, async (c) => {
      const { accountId, own } = ownerOf(c);
      const runs = await db.read((q) => runsOfAccount(q, accountId));
      return c.json(wholeList(runs.filter((run) => seesRun(own, run)).map(runFrom)), 200);
    })
    .openapi(getRoute, async (c) => {
      const run = await db.read((q) => ownRun(q, ownerOf(c), c.req.valid('param').id));
      return run === null ? notFound(c, 'run') : c.json(runFrom(run), 200);
    })
    .openapi(visitsRoute, async (c) => {
      const { id } = c.req.valid('param');
      const { direction, next: offset = 0 } = c.req.valid('query');
      const found = await db.read(async (q) => {
        if ((await ownRun(q, ownerOf(c), id)) === null) return null;
        const rows = await runVisits(q, id, direction, { offset, limit: PAGE_ROWS });
        return { rows, total: await countRunVisits(q, id, direction) };
      });
      if (found === null) return notFound(c, 'run');
      const { rows, total } = found;
      const end = offset + rows.length;
      const list = {
        next: end < total ? String(end) : null,
        previous: offset > 0 ? String(Math.max(0, offset - PAGE_ROWS)) : null,
        total,
        extra: { totalIs: 'exact' as const },
        data: rows.map(runVisitFrom),
      };
      return c.json(list, 200);
    })
    .openapi(cancelRoute, async (c) => {
      const { id } = c.req.valid('param');
      const cancelled = await cancelRun(db, ownerOf(c), id, nowUtc(clock));
      if (cancelled.ok) return c.json(runFrom(cancelled.run), 303, { Location: `/runs/${id}` });
      return cancelled.reason === 'conflict' ? conflict(c, cancelled.mistake) : refuse(c, 'run', cancelled);
    });
}

function ownerOf(c: Context<CloudEnv>): RunOwner {
  const caller = callerOf(c, 'account');
  return { accountId: caller.accountId, own: ownRows(caller) };
}
