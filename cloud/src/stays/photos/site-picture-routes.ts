import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { EDGE_PICTURES_PATH, PictureKindSchema } from '@hlid/protocol/site-link/edge-api';
import { createRoute, z } from '@hono/zod-openapi';
import { type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { errorBody, REFUSALS, refusal } from '../../platform/http/errors.ts';
import { createRouter } from '../../platform/http/router.ts';
import { pictureFrom } from './document-picture.ts';
import { takePicture } from './store-picture.ts';

/** The body of an upload. */
export const UPLOADED = {
  schema: { type: 'string' as const, format: 'binary' },
  example: '(the bytes of the picture)',
};

const putRoute = createRoute({
  method: 'put',
  path: `${EDGE_PICTURES_PATH}/{readId}/{kind}`,
  tags: ['Edge'],
  summary: 'Upload a picture of a read; the read itself comes first',
  description: 'A read has one picture of each kind. An existing picture stays, and the answer is the same.',
  request: {
    params: z.object({ readId: z.uuid(), kind: PictureKindSchema }),
    body: { required: true, content: { 'image/jpeg': UPLOADED, 'image/png': UPLOADED } },
  },
  responses: {
    204: { description: 'Stored' },
    410: refusal('Refused: its read was erased, or is too old'),
    413: refusal('Too large'),
    415: refusal('Neither JPEG nor PNG'),
    503: refusal('It is being stored: retry later'),
    ...REFUSALS.input,
    ...REFUSALS.auth,
  },
});

/** The routes on which edge daemons upload the pictures of their reads. */
export function sitePictureRoutes(context: CloudContext) {
  return createRouter().openapi(putRoute, async (c) => {
    const { siteId } = callerOf(c, 'site');
    const { readId, kind } = c.req.valid('param');
    const brought = pictureFrom(new Uint8Array(await c.req.arrayBuffer()));
    if (brought === null) return c.json(NO_PICTURE, 415);
    const outcome = await takePicture(context, { siteId, readId, kind, picture: brought });
    switch (outcome) {
      case 'stored':
      case 'there':
        return c.body(null, 204);
      case 'gone':
        return c.json(ERASED_READ, 410);
      case 'busy':
        return c.json(LATER, 503, { 'Retry-After': '60' });
      default:
        return outcome satisfies never;
    }
  });
}

export const NO_PICTURE = errorBody('Unsupported media type', mistake('not-a-picture'));
const ERASED_READ = errorBody('Gone', mistake('read-erased'));
const LATER = errorBody('Busy', mistake('picture-being-stored'));
