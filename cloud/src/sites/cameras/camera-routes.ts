import { createRoute, z } from '@hono/zod-openapi';
import { ownRows, seesSite } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { notFound, refuse, refuseEdit } from '../../platform/http/errors.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { wholeList } from '../../platform/http/list-envelope.ts';
import { IdParamSchema, jsonBody, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { findCamera, listCameras } from '../../records/cameras/find-cameras.ts';
import { CameraEditSchema, CameraSchema, cameraFrom, NewCameraSchema } from './camera.ts';
import { createCamera, updateCamera } from './change-cameras.ts';

const tags = ['Cameras'];

const listRoute = createRoute({
  method: 'get',
  path: '/cameras',
  tags,
  summary: 'List cameras, newest first',
  request: {
    query: z.strictObject({
      // The specification's filter has `deactive`, and its field `inactive`.
      status: z.enum(['active', 'deactive', 'inactive']).optional(),
      siteId: z.string().optional(),
    }),
  },
  responses: responses.list(CameraSchema, 'Cameras'),
});

const newRoute = createRoute({
  method: 'post',
  path: '/cameras',
  tags,
  summary: 'Create a camera',
  request: { body: jsonBody(NewCameraSchema) },
  responses: responses.write(CameraSchema, 'Created'),
});

const getRoute = createRoute({
  method: 'get',
  path: '/cameras/{id}',
  tags,
  summary: 'Get a camera',
  request: { params: IdParamSchema },
  responses: responses.read(CameraSchema, 'The camera'),
});

const changeRoute = createRoute({
  method: 'put',
  path: '/cameras/{id}',
  tags,
  summary: 'Update a camera; pushed to its site immediately',
  request: { params: IdParamSchema, body: jsonBody(CameraEditSchema) },
  responses: responses.edit(CameraSchema, 'Changed'),
});

export function cameraRoutes({ db, clock }: CloudContext) {
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { status, siteId } = c.req.valid('query');
      const filters = { siteId, status: status === 'deactive' ? 'inactive' : status } as const;
      const own = ownRows(callerOf(c, 'account'));
      const rows = (await db.read((q) => listCameras(q, filters))).filter((row) => seesSite(own, row.siteId));
      return c.json(wholeList(rows.map(cameraFrom)), 200);
    })
    .openapi(newRoute, async (c) => {
      const made = await createCamera(db, actorOf(c, clock), c.req.valid('json'));
      if (!made.ok) return refuse(c, 'camera', made);
      return c.json(cameraFrom(made.camera), 303, { Location: `/cameras/${made.camera.id}` });
    })
    .openapi(getRoute, async (c) => {
      const { id } = c.req.valid('param');
      const row = await db.read((q) => findCamera(q, id));
      return row === null ? notFound(c, 'camera') : c.json(cameraFrom(row), 200, { ETag: etagOf(row) });
    })
    .openapi(changeRoute, async (c) => {
      const { id } = c.req.valid('param');
      const changed = await updateCamera(db, actorOf(c, clock), id, c.req.valid('json'));
      if (!changed.ok) return refuseEdit(c, 'camera', changed);
      return c.json(cameraFrom(changed.camera), 303, {
        Location: `/cameras/${id}`,
        ETag: etagOf(changed.camera),
      });
    });
}
