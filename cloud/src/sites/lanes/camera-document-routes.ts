import { nowUtc } from '@hlid/node/clock';
import { isEncodingAccepted } from '@hlid/node/unpack-document';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { MAX_SENT_BYTES } from '@hlid/protocol/camera/document-collector';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { photoTokenQuery } from '../../people/auth/query-tokens.ts';
import { type Actor, ALL_ROWS } from '../../platform/http/caller.ts';
import { type CloudContext, type CloudEnv, callerOf } from '../../platform/http/cloud-env.ts';
import {
  bodyTooLarge,
  encodingNotAccepted,
  inputError,
  notFound,
  REFUSALS,
  refuse,
} from '../../platform/http/errors.ts';
import { json, seeOther, WRITE_REFUSALS } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { findPhoto } from '../../stays/photos/find-photos.ts';
import { NoReadSchema, PhotoSchema, photoFrom } from '../../stays/photos/photo.ts';
import { receiveDocument } from '../../stays/photos/receive-document.ts';
import { DocumentTypeSchema, takeDocument } from './take-document.ts';

const postRoute = createRoute({
  method: 'post',
  path: '/photos/{type}',
  tags: ['Photos'],
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
    // The body is not checked here: the maker's parser does that, and a camera's content type is not reliable.
    body: {
      required: true,
      description:
        "The maker's document. Of one that is larger than 12 MiB the large pictures are left out; at most 64 MiB are read. It may be compressed as `Content-Encoding` says, by gzip or deflate; another encoding is answered 415 with `Accept-Encoding`.",
      content: { 'application/json': { schema: { type: 'object' }, example: { data_type: 'heartbeat' } } },
    },
  },
  responses: {
    200: { description: 'It contains no vehicle', content: json(NoReadSchema) },
    ...seeOther(PhotoSchema, 'Stored'),
    ...WRITE_REFUSALS,
    ...REFUSALS.body,
  },
});

/** Documents of cameras at sites without an edge daemon. */
export function cameraDocumentRoutes(context: CloudContext) {
  const { db, clock } = context;
  return createRouter().openapi(postRoute, async (c) => {
    const { type } = c.req.valid('param');
    const { 'camera.id': named } = c.req.valid('query');
    const actor = posterOf(c, nowUtc(clock));
    const { caller } = actor;
    const cameraId = caller.kind === 'photo' ? caller.cameraId : named;
    if (cameraId === undefined) return inputError(c, mistake('which-camera', 'camera.id'));
    if (named !== undefined && named !== cameraId)
      return inputError(c, mistake('token-of-another-camera', 'camera.id'));
    if (!isEncodingAccepted(c.req.header('content-encoding'))) return encodingNotAccepted(c);
    const received = await receiveDocument(c.req.raw);
    if (!received.ok) {
      if (received.reason === 'broken')
        return inputError(c, mistake('unreadable-document', [], { detail: 'it cannot be unpacked' }));
      return bodyTooLarge(c, mistake('body-too-large', [], { bytes: MAX_SENT_BYTES }));
    }
    const { body, shortening } = received;
    const posted = { type, cameraId, body, shortening, headers: c.req.header() };
    const taken = await takeDocument(context, actor, posted);
    if (!taken.ok) return refuse(c, 'camera', taken);
    if (taken.photoId === null) return c.json(taken.nothing, 200);
    const { photoId, location } = taken;
    const found = await db.read((q) => findPhoto(q, photoId, ALL_ROWS));
    return found === null ? notFound(c, 'photo') : c.json(photoFrom(found), 303, { Location: location });
  });
}

/** The person, the program or the camera that posts. */
function posterOf(c: Context<CloudEnv>, at: Actor['at']): Actor {
  return { caller: callerOf(c, 'account', 'role', 'photo'), at, requestId: c.get('requestId') };
}
