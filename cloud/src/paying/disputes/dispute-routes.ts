import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { APPROVAL_RESPONSE, approvalRequested } from '../../people/approvals/approval-requested.ts';
import { actionsFor } from '../../people/auth/record-actions.ts';
import type { Queries } from '../../platform/db/db.ts';
import { ALL_ROWS, type Caller, hasPermission, ownRows } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, type CloudEnv, callerOf } from '../../platform/http/cloud-env.ts';
import { notFound, REFUSALS, refuse, tooManyRequests } from '../../platform/http/errors.ts';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { CursorParamSchema, type Place, readPage, wholeList } from '../../platform/http/list-envelope.ts';
import { IdParamSchema, jsonBody, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { answerDispute } from './answer-dispute.ts';
import { DISPUTE_ACTION_NAMES, DISPUTE_ACTIONS } from './dispute-actions.ts';
import {
  DisputeAnswerSchema,
  DisputeStateSchema,
  NewDisputeSchema,
  type ShownDispute,
  ShownDisputeSchema,
} from './dispute-view.ts';
import {
  countDisputes,
  type DisputeFilters,
  type FoundDispute,
  findDispute,
  listDisputes,
} from './find-dispute.ts';
import { type Opened, openDispute } from './open-dispute.ts';

const tags = ['Disputes'];

const listRoute = createRoute({
  method: 'get',
  path: '/disputes',
  tags,
  summary: 'List disputes, newest first',
  description:
    'Stays and invoices that somebody contests. Operators see those of their sites: of visits with the permission ' +
    '`visits`, of invoices with `money`. Customers see their own.',
  request: {
    query: z.strictObject({
      state: DisputeStateSchema.optional(),
      siteId: IdSchema.optional(),
      visitId: IdSchema.optional(),
      invoiceId: IdSchema.optional(),
      next: CursorParamSchema.optional(),
    }),
  },
  responses: responses.list(ShownDisputeSchema, 'Disputes'),
});

const getRoute = createRoute({
  method: 'get',
  path: '/dispute/{id}',
  tags,
  summary: 'Get a dispute',
  request: { params: IdParamSchema },
  responses: responses.read(ShownDisputeSchema, 'The dispute'),
});

const opened = { ...responses.write(ShownDisputeSchema, 'The dispute'), ...REFUSALS.tooMany };

const visitRoute = createRoute({
  method: 'post',
  path: '/visit/{id}/dispute',
  tags,
  summary: 'Contest a visit',
  description:
    'The visit gets the review flag `disputed`. Until the answer no stored card is charged for it, it goes into no ' +
    'collected invoice, no notice is recorded and no late fee is added. One dispute at a time, three in all.',
  request: { params: IdParamSchema, body: jsonBody(NewDisputeSchema) },
  responses: opened,
});

const invoiceRoute = createRoute({
  method: 'post',
  path: '/invoice/{id}/dispute',
  tags,
  summary: 'Contest an issued invoice',
  request: { params: IdParamSchema, body: jsonBody(NewDisputeSchema) },
  responses: opened,
});

const answerRoute = createRoute({
  method: 'post',
  path: '/dispute/{id}/answer',
  tags,
  summary: 'Answer a dispute',
  description:
    'The answer is final, and is mailed. With `void` an operator’s session has to be stepped up, and above the limit of ' +
    'the site a second person has to approve it. The visit goes on ' +
    'where the dispute stopped it; the time of a late fee begins anew.',
  request: { params: IdParamSchema, body: jsonBody(DisputeAnswerSchema) },
  responses: { ...responses.write(ShownDisputeSchema, 'The dispute'), ...APPROVAL_RESPONSE },
});

/** Customers and drivers contest stays and invoices, and operators answer. */
export function disputeRoutes({ db, clock }: Pick<CloudContext, 'db' | 'clock'>) {
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { next: cursor, ...filters } = c.req.valid('query');
      const caller = callerOf(c, 'account');
      const own = ownRows(caller);
      const asked = { ...filters, ...kindsFor(caller) };
      if (!own.all && own.customerId === null) return c.json(wholeList<ShownDispute>([]), 200);
      const list = await db.read((q) =>
        readPage(
          { cursor },
          placeByOpening,
          (limit) => listDisputes(q, asked, own, { cursor, limit }),
          () => countDisputes(q, asked, own),
        ),
      );
      return c.json({ ...list, data: list.data.map((found) => shownTo(caller, found)) }, 200);
    })
    .openapi(getRoute, async (c) => {
      const caller = callerOf(c, 'account');
      const found = await db.read((q) => findFor(q, caller, c.req.valid('param').id));
      return found === null ? notFound(c, 'dispute') : c.json(shownTo(caller, found), 200);
    })
    .openapi(visitRoute, async (c) => {
      const about = { visitId: c.req.valid('param').id };
      const made = await openDispute(db, actorOf(c, clock), about, c.req.valid('json'));
      return made.ok ? await show(c, db, made.id) : refuseOpening(c, 'visit', made);
    })
    .openapi(invoiceRoute, async (c) => {
      const about = { invoiceId: c.req.valid('param').id };
      const made = await openDispute(db, actorOf(c, clock), about, c.req.valid('json'));
      return made.ok ? await show(c, db, made.id) : refuseOpening(c, 'invoice', made);
    })
    .openapi(answerRoute, async (c) => {
      const { id } = c.req.valid('param');
      const caller = callerOf(c, 'account');
      if ((await db.read((q) => findFor(q, caller, id))) === null) return notFound(c, 'dispute');
      const answered = await answerDispute(db, actorOf(c, clock), id, c.req.valid('json'));
      if (answered.ok) return await show(c, db, id);
      return answered.reason === 'approval' ? approvalRequested(c, answered) : refuse(c, 'dispute', answered);
    });
}

/** The kinds of disputes that an operator may see: of visits, of invoices or of both. */
function kindsFor(caller: Caller): Pick<DisputeFilters, 'kind'> {
  if (caller.kind !== 'account' || caller.role !== 'operator') return {};
  const visits = hasPermission(caller.rights, 'visits');
  const money = hasPermission(caller.rights, 'money');
  if (visits && money) return {};
  return { kind: money ? 'invoice' : 'visit' };
}

async function findFor(q: Queries, caller: Caller, id: string): Promise<FoundDispute | null> {
  const found = await findDispute(q, id, ownRows(caller));
  const { kind } = kindsFor(caller);
  if (found === null || kind === undefined) return found;
  return (kind === 'visit') === (found.view.visitId !== null) ? found : null;
}

/** A dispute with what its reader can do with it. */
function shownTo(caller: Caller, { view, visitStatus }: FoundDispute): ShownDispute {
  const { siteId, state } = view;
  const facts = { state, visitStatus };
  return {
    ...view,
    actions: actionsFor(DISPUTE_ACTION_NAMES, DISPUTE_ACTIONS, caller, { siteId }, facts),
  };
}

function placeByOpening({ view: { id, openedOn } }: FoundDispute): Place {
  return { rank: 0, at: openedOn, id };
}

function refuseOpening(
  c: Context<CloudEnv>,
  what: 'visit' | 'invoice',
  refused: Exclude<Opened, { ok: true }>,
) {
  if (refused.reason === 'too-many') return tooManyRequests(c, refused.retryAfterSeconds);
  return refuse(c, what, refused);
}

async function show(c: Context<CloudEnv>, db: CloudContext['db'], id: string) {
  const found = await db.read((q) => findDispute(q, id, ALL_ROWS));
  if (found === null) return notFound(c, 'dispute');
  return c.json(shownTo(callerOf(c, 'account'), found), 303, { Location: `/dispute/${id}` });
}
