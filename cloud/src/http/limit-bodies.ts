import { MAX_PICTURE_BYTES } from '@hlid/protocol/edge-api';
import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import type { CloudEnv } from './cloud-env.ts';
import { routeOf } from './route-of.ts';

const MIB = 1024 * 1024;

/** Few bodies of the API are near that. */
const USUAL_BYTES = MIB;

/** Routes that take more, as the access table names them. */
const LARGER_BYTES: Readonly<Record<string, number>> = {
  // Pictures stand in the documents, as base64.
  'POST /photos/:type': 10 * MIB,
  'PUT /edge/pictures/:pictureId': MAX_PICTURE_BYTES,
  'POST /visit/whitelist/import': 20 * MIB,
};

/** Refuses bodies that are too long for their route, before anybody reads them. */
export function limitBodies(): MiddlewareHandler<CloudEnv> {
  const usual = limit(USUAL_BYTES);
  const larger = new Map(Object.values(LARGER_BYTES).map((bytes) => [bytes, limit(bytes)]));
  return async (c, next) => {
    // Nobody reads theirs.
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return await next();
    const bytes = LARGER_BYTES[routeOf(c)?.name ?? ''] ?? USUAL_BYTES;
    const announced = c.req.header('content-length');
    // Only a body of unknown length is read here: whoever asks for the stream pays for the whole of a fetch request.
    if (announced === undefined || c.req.header('transfer-encoding') !== undefined) {
      return await (larger.get(bytes) ?? usual)(c, next);
    }
    if (Number(announced) > bytes) throw tooLarge(bytes);
    return await next();
  };
}

function limit(maxSize: number): MiddlewareHandler {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw tooLarge(maxSize);
    },
  });
}

function tooLarge(bytes: number): HTTPException {
  return new HTTPException(413, { message: `A body has at most ${bytes} bytes here.` });
}
