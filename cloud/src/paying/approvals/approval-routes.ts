import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { actionsFor } from '../../people/auth/record-actions.ts';
import type { Queries } from '../../platform/db/db.ts';
import type { Actor } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, type CloudEnv } from '../../platform/http/cloud-env.ts';
import { conflict, notFound, refusal, refuse } from '../../platform/http/errors.ts';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { CursorParamSchema, type Place, readPage } from '../../platform/http/list-envelope.ts';
import { IdParamSchema, jsonBody, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { DisputeLinks } from '../disputes/dispute-links.ts';
import type { OnlineRefunds } from '../online-payments/refund-online.ts';
import {
  ApprovalStateSchema,
  ApproveSchema,
  RefuseApprovalSchema,
  type ShownApproval,
  ShownApprovalSchema,
} from './approval.ts';
import { APPROVAL_ACTION_NAMES, APPROVAL_ACTIONS } from './approval-actions.ts';
import type { Carriers } from './carry-out.ts';
import { approve, endApproval } from './decide-approval.ts';
import {
  countApprovals,
  type FoundApproval,
  findApproval,
  listApprovals,
  shownApprovals,
} from './find-approvals.ts';

const tags = ['Approvals'];

const listRoute = createRoute({
  method: 'get',
  path: '/approvals',
  tags,
  summary: 'List requests for the approval of a second person, newest first',
  description:
    'Of the sites of the operator, and of the kinds of acts for which it has the permission: `money` for refunds, reversals ' +
    'and credits, `visits` for waivers, `people` for limits.',
  request: {
    query: z.strictObject({
      state: ApprovalStateSchema.optional(),
      siteId: IdSchema.optional(),
      visitId: IdSchema.optional(),
      invoiceId: IdSchema.optional(),
      paymentId: IdSchema.optional(),
      next: CursorParamSchema.optional(),
    }),
  },
  responses: responses.list(ShownApprovalSchema, 'Requests'),
});

const getRoute = createRoute({
  method: 'get',
  path: '/approval/{id}',
  tags,
  summary: 'Get a request for approval',
  request: { params: IdParamSchema },
  responses: responses.read(ShownApprovalSchema, 'The request'),
});

const approveRoute = createRoute({
  method: 'post',
  path: '/approval/{id}/approve',
  tags,
  summary: 'Approve an act as a second person',
  description:
    'It is done in the same moment, once. For a session that has been stepped up, of another account than the one that asked, ' +
    'with the permission for the act at its site.',
  request: { params: IdParamSchema, body: jsonBody(ApproveSchema) },
  responses: {
    ...responses.write(ShownApprovalSchema, 'Done'),
    409: refusal(
      'It could not be done: it is worth another amount now, what it changes is no longer as it was, or its site is away',
    ),
  },
});

const refuseRoute = createRoute({
  method: 'post',
  path: '/approval/{id}/refuse',
  tags,
  summary: 'Refuse an act as a second person',
  request: { params: IdParamSchema, body: jsonBody(RefuseApprovalSchema) },
  responses: responses.write(ShownApprovalSchema, 'Refused'),
});

const withdrawRoute = createRoute({
  method: 'post',
  path: '/approval/{id}/withdraw',
  tags,
  summary: 'Withdraw an own request for approval',
  request: { params: IdParamSchema },
  responses: responses.write(ShownApprovalSchema, 'Withdrawn'),
});

/** A second person approves or refuses what is above a limit of its site. */
export function approvalRoutes(context: CloudContext, online: OnlineRefunds, closes: Carriers['closes']) {
  const { db, clock } = context;
  const links = new DisputeLinks(context);
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { next: cursor, ...filters } = c.req.valid('query');
      const { caller } = actorOf(c, clock);
      const page = await db.read((q) =>
        readPage(
          { cursor },
          placeOf,
          (limit) => listApprovals(q, filters, caller, { cursor, limit }),
          () => countApprovals(q, filters, caller),
        ),
      );
      return c.json({ ...page, data: await db.read((q) => shown(q, page.data, actorOf(c, clock))) }, 200);
    })
    .openapi(getRoute, async (c) => {
      const { id } = c.req.valid('param');
      const [found] = await db.read((q) => oneShown(q, id, actorOf(c, clock)));
      return found === undefined ? notFound(c, 'approval') : c.json(found, 200);
    })
    .openapi(approveRoute, async (c) => {
      const { id } = c.req.valid('param');
      const { amount } = c.req.valid('json');
      await links.prepare();
      const carriers = { db, commands: context.commands, online, links, closes };
      const decided = await approve(carriers, actorOf(c, clock), id, amount);
      if (decided.ok) return await show(c, context, id);
      if (decided.reason === 'conflict') return conflict(c, decided.mistake);
      if (decided.reason !== 'failed') return refuse(c, 'approval', decided);
      const [first, ...others] = decided.mistakes;
      return first === undefined ? notFound(c, 'approval') : conflict(c, first, ...others);
    })
    .openapi(refuseRoute, async (c) => {
      const { id } = c.req.valid('param');
      const { reason } = c.req.valid('json');
      const decided = await endApproval(db, actorOf(c, clock), id, { action: 'refuse', answer: reason });
      return decided.ok ? await show(c, context, id) : refuse(c, 'approval', decided);
    })
    .openapi(withdrawRoute, async (c) => {
      const { id } = c.req.valid('param');
      const decided = await endApproval(db, actorOf(c, clock), id, { action: 'withdraw' });
      return decided.ok ? await show(c, context, id) : refuse(c, 'approval', decided);
    });
}

async function oneShown(q: Queries, id: string, actor: Actor): Promise<ShownApproval[]> {
  const found = await findApproval(q, id, actor.caller);
  return await shown(q, found === null ? [] : [found], actor);
}

/** Requests with what their reader can do with them. */
async function shown(
  q: Queries,
  found: readonly FoundApproval[],
  { caller, at }: Actor,
): Promise<ShownApproval[]> {
  const views = await shownApprovals(q, found, caller);
  return views.map((view) => {
    const { siteId, state, expiresOn: expiresAt, isOwn } = view;
    const facts = { state, expiresAt, isOwn, at };
    const actions = actionsFor(APPROVAL_ACTION_NAMES, APPROVAL_ACTIONS, caller, { siteId }, facts);
    return { ...view, actions };
  });
}

function placeOf({ id, requestedAt }: FoundApproval): Place {
  return { rank: 0, at: requestedAt, id };
}

async function show(c: Context<CloudEnv>, { db, clock }: Pick<CloudContext, 'db' | 'clock'>, id: string) {
  const [found] = await db.read((q) => oneShown(q, id, actorOf(c, clock)));
  if (found === undefined) return notFound(c, 'approval');
  return c.json(found, 303, { Location: `/approval/${id}` });
}
