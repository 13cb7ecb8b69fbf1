import { nowUtc } from '@hlid/node/clock';
import { createRoute } from '@hono/zod-openapi';
import { type CoreContext, callerOf } from '../../platform/http/cloud-env.ts';
import { notFound, refuse } from '../../platform/http/errors.ts';
import { wholeList } from '../../platform/http/list-envelope.ts';
import { IdParamSchema, jsonBody, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import {
  createView,
  deleteView,
  findView,
  listViews,
  NewViewSchema,
  updateView,
  ViewEditSchema,
  ViewSchema,
} from './change-views.ts';

const tags = ['Views'];

const listRoute = createRoute({
  method: 'get',
  path: '/views',
  tags,
  summary: 'List the own saved views of the console, and those that operators share',
  responses: responses.list(ViewSchema, 'Views'),
});

const newRoute = createRoute({
  method: 'post',
  path: '/views',
  tags,
  summary: 'Save a view of the console',
  request: { body: jsonBody(NewViewSchema) },
  responses: responses.write(ViewSchema, 'Saved'),
});

const getRoute = createRoute({
  method: 'get',
  path: '/views/{id}',
  tags,
  summary: 'Get an own saved view',
  request: { params: IdParamSchema },
  responses: responses.read(ViewSchema, 'The view'),
});

const editRoute = createRoute({
  method: 'put',
  path: '/views/{id}',
  tags,
  summary: 'Change an own saved view',
  request: { params: IdParamSchema, body: jsonBody(ViewEditSchema) },
  responses: responses.write(ViewSchema, 'Changed'),
});

const deleteRoute = createRoute({
  method: 'delete',
  path: '/views/{id}',
  tags,
  summary: 'Delete an own saved view',
  request: { params: IdParamSchema },
  responses: responses.delete('Deleted'),
});

export function viewRoutes({ db, clock }: CoreContext) {
  return createRouter()
    .openapi(listRoute, async (c) => {
      const caller = callerOf(c, 'account');
      return c.json(wholeList(await db.read((q) => listViews(q, caller))), 200);
    })
    .openapi(newRoute, async (c) => {
      const caller = callerOf(c, 'account');
      const made = await createView(db, caller, c.req.valid('json'), nowUtc(clock));
      if (!made.ok) return refuse(c, 'view', made);
      const view = await db.read((q) => findView(q, made.id, caller));
      return view === null ? notFound(c, 'view') : c.json(view, 303, { Location: `/views/${made.id}` });
    })
    .openapi(getRoute, async (c) => {
      const { id } = c.req.valid('param');
      const view = await db.read((q) => findView(q, id, callerOf(c, 'account')));
      return view === null ? notFound(c, 'view') : c.json(view, 200);
    })
    .openapi(editRoute, async (c) => {
      const { id } = c.req.valid('param');
      const caller = callerOf(c, 'account');
      const edited = await updateView(db, caller, id, c.req.valid('json'), nowUtc(clock));
      if (!edited.ok) return refuse(c, 'view', edited);
      const view = await db.read((q) => findView(q, id, caller));
      return view === null ? notFound(c, 'view') : c.json(view, 303, { Location: `/views/${id}` });
    })
    .openapi(deleteRoute, async (c) => {
      const { id } = c.req.valid('param');
      const deleted = await deleteView(db, callerOf(c, 'account'), id);
      return deleted.ok ? c.body(null, 204) : refuse(c, 'view', deleted);
    });
}
