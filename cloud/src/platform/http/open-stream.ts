import { PassThrough } from 'node:stream';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { MiddlewareHandler } from 'hono';
import type { CloudEnv } from './cloud-env.ts';

/**
 * Responses that stay open for hours. A route sets `openStream` and returns the head. Its later writes go
 * straight to Node's response, since a web stream for each of a thousand readers costs three times as much
 * memory. It is mounted before everything else, so that the head is whole.
 */
export function openStreams(): MiddlewareHandler<CloudEnv> {
  return async (c, next) => {
    await next();
    const open = c.get('openStream');
    if (open === undefined || c.req.method === 'HEAD') return;
    const { outgoing } = c.env ?? {};
    const { status, headers } = c.res;
    if (outgoing === undefined) {
      // There is no server if tests call the app.
      const through = new PassThrough();
      c.res = new Response(bodyOf(through), { status, headers });
      open(through);
      return;
    }
    outgoing.writeHead(status, Object.fromEntries(headers));
    // Hono would copy the headers of the response before.
    c.res = undefined;
    c.res = RESPONSE_ALREADY_SENT;
    open(outgoing);
  };
}

function bodyOf(through: PassThrough): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      // It gives what it has even when it is destroyed.
      through.on('data', (bytes) => through.destroyed || controller.enqueue(bytes));
      through.on('end', () => controller.close());
    },
    cancel: () => void through.destroy(),
  });
}
