import { nowUtc } from '@hlid/node/clock';
import { mistake, wrong } from '@hlid/protocol/mistake';
import { createRoute, z } from '@hono/zod-openapi';
import { isTokenLive } from '../auth/tokens.ts';
import { ownRows } from '../http/caller.ts';
import { type CloudContext, callerOf } from '../http/cloud-env.ts';
import { errorBody, inputError, REFUSALS, refusal } from '../http/errors.ts';
import { createRouter } from '../http/router.ts';
import type { LiveEvents } from './live-events.ts';

const streamRoute = createRoute({
  method: 'get',
  path: '/events',
  tags: ['Live'],
  summary: 'Stream events as they happen',
  description:
    'Server-sent events. `ready` is the first: `n` is the number of the last event before the ' +
    'stream, and `reset` means that too many events were missed, so everything has to be read again. ' +
    '`change` is an event as in `GET /webhooks/events`, without data: read the subject at its path. ' +
    '`alive` is sent every ten seconds; a client that gets nothing for 25 seconds has lost the ' +
    'connection. Customers get the events of their own rows, ' +
    'operators those of their sites and permissions. The stream ends when the token does.',
  request: {
    query: z.strictObject({
      after: z
        .string()
        .regex(/^\d{1,15}$/, wrong('event-number'))
        .optional()
        .describe(
          'The number of the last event that the client has; the header `Last-Event-ID` overrides it.',
        ),
    }),
  },
  responses: {
    200: {
      description: 'The stream',
      content: {
        'text/event-stream': {
          schema: z.string().meta({ example: 'id: 41\nevent: ready\ndata: {"n":41,"reset":false}\n\n' }),
        },
      },
    },
    ...REFUSALS.input,
    ...REFUSALS.auth,
    503: refusal('This cloud has the maximum number of streams'),
  },
});

/** What pages that are open hear of. */
export function liveRoutes({ db, clock }: CloudContext, live: LiveEvents) {
  return createRouter().openapi(streamRoute, async (c) => {
    const caller = callerOf(c, 'account');
    const lastId = c.req.header('Last-Event-ID');
    if (lastId !== undefined && !/^\d{1,15}$/.test(lastId)) {
      return inputError(c, mistake('event-number', 'Last-Event-ID'));
    }
    const after = lastId ?? c.req.valid('query').after;
    const isLive = () => db.read((q) => isTokenLive(q, caller.tokenId, nowUtc(clock)));
    const { rights, tokenId } = caller;
    const reader = await live.open(
      { own: ownRows(caller), rights, tokenId, isLive },
      after === undefined ? null : Number(after),
    );
    if (reader === null) {
      c.header('Retry-After', '10');
      return c.json(errorBody('Busy', mistake('too-many-streams')), 503);
    }
    return c.body(reader.body, 200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      // A proxy that collects answers before it passes them on would hold events back.
      'X-Accel-Buffering': 'no',
    });
  });
}
