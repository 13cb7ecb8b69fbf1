import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { EDGE_CALLS_PATH, EdgeCallSchema } from '@hlid/protocol/site-link/edge-api';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { ownRows, seesSite, sitesOf } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, type CloudEnv, callerOf } from '../../platform/http/cloud-env.ts';
import { errorBody, notFound, REFUSALS } from '../../platform/http/errors.ts';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { wholeList } from '../../platform/http/list-envelope.ts';
import {
  IdParamSchema,
  json,
  jsonBody,
  READ_REFUSALS,
  responses,
} from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { CallCloseSchema, CallTakenBodySchema, type CallView, CallViewSchema } from './call-view.ts';
import { acceptCall, closeCall, findCall, listCalls } from './calls.ts';

const tags = ['Calls'];

const listRoute = createRoute({
  method: 'get',
  path: '/calls',
  tags,
  summary: 'List calls for help, newest first',
  description:
    'Calls that ring or are accepted; with `over=true` the newest that are closed or missed. A call rings until ' +
    'somebody accepts it, ten minutes at most. `call.opened`, `call.accepted` and `call.closed` come with `GET /events`.',
  request: {
    query: z.strictObject({ siteId: IdSchema.optional(), over: z.enum(['true', 'false']).optional() }),
  },
  responses: responses.list(CallViewSchema, 'The calls'),
});

const readRoute = createRoute({
  method: 'get',
  path: '/call/{id}',
  tags,
  summary: 'Get a call for help',
  request: { params: IdParamSchema },
  responses: responses.read(CallViewSchema, 'The call'),
});

const changed = {
  200: { description: 'The call', content: json(CallViewSchema) },
  ...READ_REFUSALS,
  409: { description: 'Somebody else has it, or it is over: `call`', content: json(CallTakenBodySchema) },
};

const acceptRoute = createRoute({
  method: 'post',
  path: '/call/{id}/accept',
  tags,
  summary: 'Accept a call for help; the first operator has it, and the driver sees the name',
  request: { params: IdParamSchema },
  responses: changed,
});

const closeRoute = createRoute({
  method: 'post',
  path: '/call/{id}/close',
  tags,
  summary: 'Close a call for help with what was done',
  request: { params: IdParamSchema, body: jsonBody(CallCloseSchema) },
  responses: { ...changed, ...REFUSALS.input },
});

const edgeRoute = createRoute({
  method: 'get',
  path: `${EDGE_CALLS_PATH}/{id}`,
  tags: ['Edge'],
  summary: 'Get how a call of the site stands',
  request: { params: IdParamSchema },
  responses: responses.read(EdgeCallSchema, 'The call'),
});

/** Drivers at kiosks call for help, and one operator helps. */
export function callRoutes({ db, clock }: Pick<CloudContext, 'db' | 'clock'>) {
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { siteId, over } = c.req.valid('query');
      const own = ownRows(callerOf(c, 'account'));
      if (siteId !== undefined && !seesSite(own, siteId)) return c.json(wholeList([]), 200);
      const siteIds = siteId === undefined ? sitesOf(own) : [siteId];
      const calls = await db.read((q) => listCalls(q, { siteIds, over: over === 'true' }));
      return c.json(wholeList(calls), 200);
    })
    .openapi(readRoute, async (c) => {
      const call = await db.read((q) => findCall(q, c.req.valid('param').id));
      return call === null ? notFound(c, 'call') : c.json(call, 200);
    })
    .openapi(acceptRoute, async (c) => {
      const accepted = await acceptCall(db, actorOf(c, clock), c.req.valid('param').id);
      if (accepted === null) return notFound(c, 'call');
      return accepted.ok ? c.json(accepted.call, 200) : taken(c, accepted.call);
    })
    .openapi(closeRoute, async (c) => {
      const { id } = c.req.valid('param');
      const closed = await closeCall(db, actorOf(c, clock), id, c.req.valid('json'));
      if (closed === null) return notFound(c, 'call');
      return closed.ok ? c.json(closed.call, 200) : taken(c, closed.call);
    })
    .openapi(edgeRoute, async (c) => {
      const { siteId } = callerOf(c, 'site');
      const call = await db.read((q) => findCall(q, c.req.valid('param').id));
      if (call?.siteId !== siteId) return notFound(c, 'call');
      return c.json({ state: call.state, name: call.accepted?.name ?? null }, 200);
    });
}

function taken(c: Context<CloudEnv>, call: CallView) {
  const name = call.accepted?.name ?? null;
  const why = call.state === 'accepted' ? mistake('call-taken', [], { name }) : mistake('call-over');
  return c.json({ ...errorBody('Call taken', why), call }, 409);
}
