import { messageOf } from '@hlid/protocol/base/fault';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import {
  EDGE_CHANGES_PATH,
  EDGE_SNAPSHOT_PATH,
  MAX_CHANGES,
  SnapshotLineSchema,
} from '@hlid/protocol/site-link/edge-api';
import { ChangeBatchSchema } from '@hlid/protocol/site-link/envelope';
import { LIST_KINDS } from '@hlid/protocol/site-link/site-change';
import { createRoute, z } from '@hono/zod-openapi';
import { EVENTS } from '../../platform/events.ts';
import { type CoreContext, callerOf } from '../../platform/http/cloud-env.ts';
import { errorBody, REFUSALS, refusal } from '../../platform/http/errors.ts';
import { createRouter } from '../../platform/http/router.ts';
import { streamText } from '../../platform/http/stream-text.ts';
import { readPresence } from '../../records/sites/find-sites.ts';
import { goesOn, readFeed } from './read-feed.ts';
import { readSnapshot } from './snapshot.ts';
import { Turns } from './turns.ts';

const tags = ['Edge'];

/** Typed as text, so that the handlers may answer what is JSON already without taking it apart again. */
const JSON_TEXT: string = 'application/json';
const NDJSON: string = 'application/x-ndjson';

const changesRoute = createRoute({
  method: 'get',
  path: EDGE_CHANGES_PATH,
  tags,
  summary: 'Get the changes of the site’s feed after a number',
  request: {
    query: z.strictObject({
      after: z.coerce
        .number()
        .int()
        .min(0)
        .openapi({ param: { required: true } }),
      limit: z.coerce.number().int().min(1).max(MAX_CHANGES).default(MAX_CHANGES),
    }),
  },
  responses: {
    200: { description: 'The changes, in order', content: { [JSON_TEXT]: { schema: ChangeBatchSchema } } },
    410: refusal('The range is gone: get the snapshot'),
    ...REFUSALS.input,
    ...REFUSALS.auth,
  },
});

const snapshotRoute = createRoute({
  method: 'get',
  path: EDGE_SNAPSHOT_PATH,
  tags,
  summary: 'Get a snapshot of the site’s lists as NDJSON, gzip if accepted',
  request: {
    query: z.object({
      visits: z
        .literal('open')
        .optional()
        .describe('Include the open visits, for a site that has lost them.'),
      since: z.coerce
        .number()
        .int()
        .min(0)
        .optional()
        .describe(
          'The `n` of the first head of an interrupted answer, to continue it with `kind` and `after`.',
        ),
      kind: z.enum(LIST_KINDS).optional().describe('The kind of the last item that the site has received.'),
      after: z.string().optional().describe('The id of that item.'),
    }),
  },
  responses: {
    200: {
      description:
        'NDJSON: `head` first, `end` last; without `end` the answer was cut off. After the items come their changes since ' +
        'the first `head`, and the `head` of the result',
      content: { [NDJSON]: { schema: SnapshotLineSchema } },
    },
    410: refusal('The changes since then are gone: begin again'),
    ...REFUSALS.input,
    ...REFUSALS.auth,
  },
});

const GONE = errorBody('Gone', mistake('feed-range-gone'));

/** The requests of an edge daemon over HTTP, with its site's credentials. */
export function edgeRoutes({ db, log }: CoreContext) {
  const turns = new Turns();
  return createRouter()
    .openapi(changesRoute, async (c) => {
      const { siteId } = callerOf(c, 'site');
      const { after, limit } = c.req.valid('query');
      const read = await readFeed(db, siteId, after, limit);
      if (!read.ok) return c.json(GONE, 410);
      return c.body(read.batch, 200, { 'Content-Type': JSON_TEXT });
    })
    .openapi(snapshotRoute, async (c) => {
      const { siteId } = callerOf(c, 'site');
      const siteHolds = (await db.read((q) => readPresence(q, siteId)))?.feedAt ?? 0;
      const { visits, since, kind, after } = c.req.valid('query');
      const from =
        since === undefined || kind === undefined || after === undefined
          ? null
          : { since, after: { kind, id: after } };
      if (from !== null && !(await goesOn(db, siteId, from.since))) return c.json(GONE, 410);
      const wanted = {
        siteHolds,
        visits: visits === 'open',
        ...(from !== null && { from }),
      };
      const gzip = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '');
      const body = streamText(gzip, async (send) => {
        try {
          const sendInTurn = async (piece: string) => {
            await send(piece);
            await turns.next();
          };
          const { n, lines } = await readSnapshot(db, siteId, sendInTurn, wanted);
          log.info({ event: EVENTS.snapshotSent, siteId, n, lines });
        } catch (error) {
          log.warn({ event: EVENTS.snapshotFailed, siteId, reason: messageOf(error) });
          throw error;
        }
      });
      return c.body(body, 200, {
        'Content-Type': NDJSON,
        Vary: 'Accept-Encoding',
        ...(gzip ? { 'Content-Encoding': 'gzip' } : {}),
      });
    });
}
