import { nowUtc } from '@hlid/node/clock';
import { mistake } from '@hlid/protocol/mistake';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { locationTokenQuery, photoTokenQuery } from '../auth/query-tokens.ts';
import { type Actor, ALL_ROWS, ownRows, readableRows } from '../http/caller.ts';
import { actorOf, type CloudContext, type CloudEnv, callerOf } from '../http/cloud-env.ts';
import { inputError, notFound, REFUSALS, refuse } from '../http/errors.ts';
import { CursorParamSchema, readPage } from '../http/list-envelope.ts';
import {
  IdParamSchema,
  json,
  jsonBody,
  READ_REFUSALS,
  responses,
  seeOther,
  WRITE_REFUSALS,
} from '../http/route-schemas.ts';
import { createRouter } from '../http/router.ts';
import { deletePhoto, editPhoto } from './edit-photo.ts';
import { findPhoto } from './find-photos.ts';
import { EditedPhotoSchema, NoReadSchema, PhotoEditSchema, PhotoSchema, photoFrom } from './photo.ts';
import { PhotoQuerySchema, readPhotoQuery } from './photo-query.ts';
import { countPhotos, type FoundPhoto, listPhotos } from './photo-store.ts';
import { DocumentTypeSchema, takeDocument } from './take-document.ts';

const tags = ['Photos'];
const LocationQuerySchema = z.strictObject(locationTokenQuery);

const postRoute = createRoute({
  method: 'post',
  path: '/photos/{type}',
  tags,
  summary: 'Post a camera’s document, for sites without an edge daemon',
  description:
    'Each read in it is stored once as a photo, with its picture. If the site has no edge daemon, ' +
    'the visit begins or ends, and `decision` of the photo has whether to open the gate. ' +
    '`open-alpr-test` only stores. Documents without a vehicle are answered with 200.',
  request: {
    params: z.object({ type: DocumentTypeSchema }),
    query: z.strictObject({
      ...photoTokenQuery,
      'camera.id': z
        .string()
        .optional()
        .describe('The id of the camera; not needed with the token of a camera.'),
    }),
    // Not checked here: the maker's parser does that, and a camera's content type says little.
    body: {
      required: true,
      description: "The maker's document, at most 10 MiB.",
      content: { 'application/json': { schema: { type: 'object' }, example: { data_type: 'heartbeat' } } },
    },
  },
  responses: {
    200: { description: 'It contains no vehicle', content: json(NoReadSchema) },
    ...seeOther(PhotoSchema, 'Stored'),
    ...WRITE_REFUSALS,
  },
});

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
    .openapi(postRoute, async (c) => {
      const { type } = c.req.valid('param');
      const { 'camera.id': named } = c.req.valid('query');
      const actor = posterOf(c, nowUtc(clock));
      const { caller } = actor;
      const cameraId = caller.kind === 'photo' ? caller.cameraId : named;
      if (cameraId === undefined) return inputError(c, mistake('which-camera', 'camera.id'));
      if (named !== undefined && named !== cameraId)
        return inputError(c, mistake('token-of-another-camera', 'camera.id'));
      const body = new Uint8Array(await c.req.arrayBuffer());
      const taken = await takeDocument(context, actor, { type, cameraId, body, headers: c.req.header() });
      if (!taken.ok) return refuse(c, 'camera', taken);
      if (taken.photoId === null) return c.json(taken.nothing, 200);
      const { photoId, location } = taken;
      const found = await db.read((q) => findPhoto(q, photoId, ALL_ROWS));
      return found === null ? notFound(c, 'photo') : c.json(photoFrom(found), 303, { Location: location });
    })
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

/** The person, the program or the camera that posts. */
function posterOf(c: Context<CloudEnv>, at: Actor['at']): Actor {
  return { caller: callerOf(c, 'account', 'role', 'photo'), at, requestId: c.get('requestId') };
}
