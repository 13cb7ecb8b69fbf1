import { createRoute, z } from '@hono/zod-openapi';
import { actionsFor } from '../../people/auth/record-actions.ts';
import type { Queries } from '../../platform/db/db.ts';
import { ALL_ROWS, type Caller, ownRows, readableRows } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { notFound, refuse, refuseEdit } from '../../platform/http/errors.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { CursorParamSchema, placeByCreation, readPage } from '../../platform/http/list-envelope.ts';
import { IdParamSchema, jsonBody, responses, WRITE_REFUSALS } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import {
  countQuotas,
  findQuota,
  listQuotas,
  openVisits,
  type QuotaRow,
} from '../../records/quotas/quota-store.ts';
import { createQuota, deleteQuota, resetQuota, updateQuota } from './change-quotas.ts';
import { NewQuotaSchema, QuotaEditSchema, QuotaSchema, quotaFrom, ShownQuotaSchema } from './quota.ts';
import { QUOTA_ACTION_NAMES, QUOTA_ACTIONS } from './quota-actions.ts';

const tags = ['Quotas'];

const listRoute = createRoute({
  method: 'get',
  path: '/quotas',
  tags,
  summary: 'List quotas, newest first',
  description: 'Operators see all, others those of their own customer.',
  request: {
    query: z.strictObject({
      customer: z.string().min(1).optional(),
      product: z.string().min(1).optional(),
      next: CursorParamSchema.optional(),
    }),
  },
  responses: responses.list(QuotaSchema, 'Quotas'),
});

const newRoute = createRoute({
  method: 'post',
  path: '/quotas',
  tags,
  summary: 'Create a quota; pushed to sites immediately',
  description: 'A customer has one quota of a product and name: a repetition is 422 with its id.',
  request: { body: jsonBody(NewQuotaSchema) },
  responses: responses.write(ShownQuotaSchema, 'Created'),
});

const getRoute = createRoute({
  method: 'get',
  path: '/quotas/{id}',
  tags,
  summary: 'Get a quota with the visits that use it now',
  request: { params: IdParamSchema },
  responses: responses.read(ShownQuotaSchema, 'The quota'),
});

const changeRoute = createRoute({
  method: 'put',
  path: '/quotas/{id}',
  tags,
  summary: 'Update a quota; omitted fields are unchanged',
  request: { params: IdParamSchema, body: jsonBody(QuotaEditSchema) },
  responses: responses.edit(ShownQuotaSchema, 'Changed'),
});

const deleteRoute = createRoute({
  method: 'delete',
  path: '/quotas/{id}',
  tags,
  summary: 'Delete a quota',
  description: 'Visits keep the units that they have used, and get no more.',
  request: { params: IdParamSchema },
  responses: { 204: { description: 'Deleted' }, ...WRITE_REFUSALS },
});

const resetRoute = createRoute({
  method: 'post',
  path: '/quotas/{id}/reset',
  tags,
  summary: 'Set a quota’s free units to 0',
  description:
    '`total` becomes `used`, so `free` is 0. Visits keep the units that they have used. The audit ' +
    'log has a line, even if nothing was free before.',
  request: { params: IdParamSchema },
  responses: responses.write(ShownQuotaSchema, 'Updated'),
});

export function quotaRoutes({ db, clock }: CloudContext) {
  const shown = (quota: QuotaRow, caller: Caller) =>
    db.read(async (q) => {
      const siteId = (await findQuota(q, quota.id, ALL_ROWS))?.siteId ?? null;
      const facts = { ...quota, caller, siteId };
      const actions = actionsFor(QUOTA_ACTION_NAMES, QUOTA_ACTIONS, caller, {}, facts);
      return { ...(await withVisits(q, quota)), actions };
    });
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { next: cursor, ...filters } = c.req.valid('query');
      const own = ownRows(callerOf(c, 'account'));
      const page = await db.read(async (q) => {
        const rows = await readPage(
          { cursor },
          placeByCreation,
          (limit) => listQuotas(q, filters, own, { cursor, limit }),
          () => countQuotas(q, filters, own),
        );
        return { ...rows, data: await Promise.all(rows.data.map((row) => withVisits(q, row))) };
      });
      return c.json(page, 200);
    })
    .openapi(newRoute, async (c) => {
      const made = await createQuota(db, actorOf(c, clock), c.req.valid('json'));
      if (!made.ok) return refuse(c, 'quota', made);
      return c.json(await shown(made.quota, callerOf(c, 'account')), 303, {
        Location: `/quotas/${made.quota.id}`,
      });
    })
    .openapi(getRoute, async (c) => {
      const { id } = c.req.valid('param');
      const caller = callerOf(c, 'account', 'role');
      const found = await db.read((q) => findQuota(q, id, readableRows(caller)));
      if (found === null) return notFound(c, 'quota');
      return c.json(await shown(found.quota, caller), 200, { ETag: etagOf(found.quota) });
    })
    .openapi(changeRoute, async (c) => {
      const { id } = c.req.valid('param');
      const changed = await updateQuota(db, actorOf(c, clock), id, c.req.valid('json'));
      if (!changed.ok) return refuseEdit(c, 'quota', changed);
      return c.json(await shown(changed.quota, callerOf(c, 'account')), 303, {
        Location: `/quotas/${id}`,
        ETag: etagOf(changed.quota),
      });
    })
    .openapi(deleteRoute, async (c) => {
      const { id } = c.req.valid('param');
      const deleted = await deleteQuota(db, actorOf(c, clock), id);
      return deleted.ok ? c.body(null, 204) : refuse(c, 'quota', deleted);
    })
    .openapi(resetRoute, async (c) => {
      const { id } = c.req.valid('param');
      const reset = await resetQuota(db, actorOf(c, clock), id);
      if (!reset.ok) return refuse(c, 'quota', reset);
      return c.json(await shown(reset.quota, callerOf(c, 'account')), 303, { Location: `/quotas/${id}` });
    });
}

async function withVisits(q: Queries, quota: QuotaRow) {
  return quotaFrom(quota, await openVisits(q, quota.id));
}
