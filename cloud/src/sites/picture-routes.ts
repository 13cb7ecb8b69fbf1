import { EDGE_PICTURES_PATH, PictureKindSchema } from '@hlid/protocol/edge-api';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { type CloudContext, type CloudEnv, callerOf } from '../http/cloud-env.ts';
import { type ErrorBody, ErrorBodySchema, REFUSALS } from '../http/errors.ts';
import { createRouter } from '../http/router.ts';
import { pictureFrom } from '../photos/document-picture.ts';
import { takePicture } from '../photos/take-picture.ts';

const picture = {
  schema: { type: 'string' as const, format: 'binary' },
  example: '(the bytes of the picture)',
};
const refusal = { 'application/json': { schema: ErrorBodySchema } };

const putRoute = createRoute({
  method: 'put',
  path: `${EDGE_PICTURES_PATH}/{pictureId}`,
  tags: ['Edge'],
  summary: 'A picture of one of the site’s reads, after the read itself',
  description: 'A read has one picture of each kind: one that is there stays, and the answer is the same.',
  request: {
    params: z.object({ pictureId: z.uuid() }),
    query: z.strictObject({ readId: z.uuid(), kind: PictureKindSchema }),
    body: { required: true, content: { 'image/jpeg': picture, 'image/png': picture } },
  },
  responses: {
    204: { description: 'It is stored' },
    410: { description: 'It is not wanted: its read was erased, or is too old', content: refusal },
    413: { description: 'Too large', content: refusal },
    415: { description: 'Neither JPEG nor PNG', content: refusal },
    503: { description: 'Somebody is storing it: later', content: refusal },
    ...REFUSALS.input,
    ...REFUSALS.auth,
  },
});

/** Where edge daemons bring the pictures of their reads. */
export function sitePictureRoutes(context: CloudContext): OpenAPIHono<CloudEnv> {
  return createRouter().openapi(putRoute, async (c) => {
    const { siteId } = callerOf(c, 'site');
    const { readId, kind } = c.req.valid('query');
    const brought = pictureFrom(new Uint8Array(await c.req.arrayBuffer()));
    if (brought === null) return c.json(NO_PICTURE, 415);
    const outcome = await takePicture(context, { siteId, readId, kind, picture: brought });
    switch (outcome) {
      case 'stored':
      case 'there':
        return c.body(null, 204);
      case 'gone':
        return c.json(UNWANTED, 410);
      case 'busy':
        return c.json(LATER, 503, { 'Retry-After': '60' });
      default:
        return outcome satisfies never;
    }
  });
}

const NO_PICTURE: ErrorBody = {
  exception: { message: 'Unsupported media type' },
  messages: ['The body is neither JPEG nor PNG.'],
};
const UNWANTED: ErrorBody = {
  exception: { message: 'Gone' },
  messages: ['Its read was erased, or is older than pictures are kept.'],
};
const LATER: ErrorBody = {
  exception: { message: 'Busy' },
  messages: ['The picture is being stored, or that has just failed. Try again in a minute.'],
};
