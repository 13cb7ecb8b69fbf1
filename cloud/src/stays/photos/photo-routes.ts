import { createRoute, z } from '@hono/zod-openapi';
import { locationTokenQuery } from '../../people/auth/query-tokens.ts';
import { ownRows, readableRows } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { notFound, REFUSALS, refuse } from '../../platform/http/errors.ts';
import { CursorParamSchema, readPage } from '../../platform/http/list-envelope.ts';
import {
  IdParamSchema,
  json,
  jsonBody,
  READ_REFUSALS,
  responses,
} from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { countPhotos, type FoundPhoto, listPhotos } from '../../records/photos/photo-store.ts';
import { deletePhoto, editPhoto } from './edit-photo.ts';
import { findPhoto } from './find-photos.ts';
import { EditedPhotoSchema, PhotoEditSchema, PhotoSchema, photoFrom } from './photo.ts';
import { PhotoQuerySchema, readPhotoQuery } from './photo-query.ts';

const tags = ['Photos'];
const LocationQuerySchema = z.strictObject(locationTokenQuery);

const listRoute = createRoute({
  method: 'get',
  path: '/photos',
  tags,
  summary: 'List photos, newest first',
  request: { query: PhotoQuerySchema.extend({ next: CursorParamSchema.optional() }) },
  responses: responses.list(PhotoSchema, 'Photos'),
});

const getRoute = createRoute({
  method: 'get',
  path: '/photo/{id}',
  tags,
  summary: 'Get a photo',
  request: { params: IdParamSchema, query: LocationQuerySchema },
  responses: {
    200: { description: 'The photo', content: json(PhotoSchema) },
    ...REFUSALS.input,
    ...READ_REFUSALS,
  },
});

const editRoute = createRoute({
  method: 'put',
  path: '/photo/{id}',
  tags,
  summary: 'Update a photo’s plate or review status',
  request: { params: IdParamSchema, body: jsonBody(PhotoEditSchema) },
  responses: responses.write(EditedPhotoSchema, 'Changed'),
});

const deleteRoute = createRoute({
  method: 'delete',
  path: '/photo/{id}',
  tags,
  summary: 'Delete a photo’s picture; the read is kept as `deleted`',
  request: { params: IdParamSchema },
  responses: responses.delete('Erased'),
});

export function photoRoutes(context: CloudContext) {
  const { db, clock } = context;
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { next: cursor, ...query } = c.req.valid('query');
      const own = ownRows(callerOf(c, 'account'));
      const page = await db.read(async (q) => {
        const filters = await readPhotoQuery(q, query, own);
        return await readPage(
          { cursor },
          ({ photo }: FoundPhoto) => ({ rank: 0, at: photo.receivedAt, id: photo.id }),
          (limit) => listPhotos(q, filters, { cursor, limit }),
          () => countPhotos(q, filters),
        );
      });
      return c.json({ ...page, data: page.data.map(photoFrom) }, 200);
    })
    .openapi(getRoute, async (c) => {
      const { id } = c.req.valid('param');
      const own = readableRows(callerOf(c, 'account', 'role', 'location'));
      const found = await db.read((q) => findPhoto(q, id, own));
      return found === null ? notFound(c, 'photo') : c.json(photoFrom(found), 200);
    })
    .openapi(editRoute, async (c) => {
      const { id } = c.req.valid('param');
      const actor = actorOf(c, clock);
      const edited = await editPhoto(db, actor, id, c.req.valid('json'));
      if (!edited.ok) return refuse(c, 'photo', edited);
      const { outcome } = edited;
      const found = await db.read((q) => findPhoto(q, id, ownRows(actor.caller)));
      if (found === null) return notFound(c, 'photo');
      return c.json({ ...photoFrom(found), outcome }, 303, { Location: `/photo/${id}` });
    })
    .openapi(deleteRoute, async (c) => {
      const { id } = c.req.valid('param');
      const deleted = await deletePhoto(context, actorOf(c, clock), id);
      return deleted.ok ? c.body(null, 204) : notFound(c, 'photo');
    });
}
