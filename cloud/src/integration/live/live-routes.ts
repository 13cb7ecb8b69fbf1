import { nowUtc } from '@hlid/node/clock';
import { MAX_BOARDS } from '@hlid/protocol/base/limits';
import { mistake, wrong } from '@hlid/protocol/base/mistakes/mistake';
import { createRoute, z } from '@hono/zod-openapi';
import { isTokenLive } from '../../people/auth/tokens.ts';
import type { Queries } from '../../platform/db/db.ts';
import { hasPermission, ownRows, seesSite } from '../../platform/http/caller.ts';
import { type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import {
  accessDenied,
  errorBody,
  inputError,
  notFound,
  REFUSALS,
  refusal,
  tooManyRequests,
} from '../../platform/http/errors.ts';
import { createRouter } from '../../platform/http/router.ts';
import { findSite } from '../../records/sites/find-sites.ts';
import { actionsOfLanes } from '../../sites/gates/lane-actions.ts';
import type { LiveEvents } from './live-events.ts';

const RETRY_SECONDS = 10;

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
    'connection. `board` is the whole lane board of a site, as in `GET /sites/{id}/lanes`, first as it is known ' +
    'and then after each change; it has no number, since the newest replaces the ones before. Customers get the events of their own rows, ' +
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
      board: z
        .string()
        .max(2000)
        .optional()
        .describe(
          'Ids of sites, separated by commas, whose lane boards come too, as `board`. Operators only.',
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
    ...REFUSALS.notFound,
    ...REFUSALS.tooMany,
    503: refusal('This cloud has the maximum number of streams'),
  },
});

/** The routes of events for open pages. */
export function liveRoutes({ db, clock }: CloudContext, live: LiveEvents) {
  return createRouter().openapi(streamRoute, async (c) => {
    const caller = callerOf(c, 'account');
    const lastId = c.req.header('Last-Event-ID');
    if (lastId !== undefined && !/^\d{1,15}$/.test(lastId)) {
      return inputError(c, mistake('event-number', 'Last-Event-ID'));
    }
    const { board, after: given } = c.req.valid('query');
    const after = lastId ?? given;
    const boardsOf = [...new Set(board?.split(',').filter((id) => id !== '') ?? [])];
    if (boardsOf.length > MAX_BOARDS)
      return inputError(c, mistake('too-many', 'board', { maximum: MAX_BOARDS }));
    if (boardsOf.length > 0) {
      const own = ownRows(caller);
      if (!own.all || !hasPermission(caller.rights, 'lanes')) {
        return accessDenied(c, mistake('permission-needed', [], { permission: 'lanes' }));
      }
      const known = await db.read((q) => knownSites(q, boardsOf));
      if (!boardsOf.every((id) => known.has(id) && seesSite(own, id))) return notFound(c, 'site');
    }
    const isLive = () => db.read((q) => isTokenLive(q, caller.tokenId, nowUtc(clock)));
    const { rights, accountId, tokenId } = caller;
    if (live.isFullFor(accountId)) return tooManyRequests(c, RETRY_SECONDS);
    if (live.isFull) {
      c.header('Retry-After', String(RETRY_SECONDS));
      return c.json(errorBody('Busy', mistake('too-many-streams')), 503);
    }
    const own = ownRows(caller);
    c.set('openStream', (out) => {
      void live.open(
        { own, rights, accountId, tokenId, isLive },
        out,
        after === undefined ? null : Number(after),
        boardsOf.map((siteId) => ({ siteId, actions: actionsOfLanes(caller, siteId) })),
      );
    });
    return c.body(null, 200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      // A proxy that collects answers before it passes them on would hold events back.
      'X-Accel-Buffering': 'no',
    });
  });
}

/** The given sites that exist. */
async function knownSites(q: Queries, ids: readonly string[]): Promise<Set<string>> {
  const found = await Promise.all(ids.map((id) => findSite(q, id)));
  return new Set(found.flatMap((one) => one?.site.id ?? []));
}
